import type { Sql } from '#platform/postgres/database.ts'

/**
 * Holds what a customer has and owes in forints until the transaction ends, so that an amount can be decided by it. Before any account
 * of the house is touched: every posting locks the customer's accounts first.
 */
export const lockCustomerAccounts = (tx: Sql, userId: string): Promise<object[]> =>
  tx.query('select control.ledger_lock_customer($1, $2)', [userId, 'HUF'])
