import { forints, type Money } from '#domain/billing/money.ts'
import { assert } from '#domain/kernel/assert.ts'
import { refuseErasure, type ErasureRefusal } from '#domain/departures/account-deletion.ts'
import { erasureStatement, type PersonKey } from '#domain/users/personal-statements.ts'
import { personalTablesOf } from '#domain/users/personal-tables.ts'
import { writeStatementLine } from '../money/wallet/statement.ts'
import { forfeited, forfeitKey } from '../money/ledger/postings.ts'
import type { MoneyContext } from '../money/ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockInOrder } from '../money/ledger/lock-order.ts'
import { requestDeletion } from '../servers/store/server-store.ts'
import { readDeparture } from './departure.ts'

export type Erasure = PersonKey & {
  /** The balance that the person forfeited, in whole forints. */
  readonly waivedFt: number
  readonly requestId: string
}

/** Why nothing was erased: there is new money or a new order that the person did not forfeit. Staff look at it. */
export type ErasureAnswer = { readonly ok: true } | { readonly ok: false; readonly code: ErasureRefusal }

/** Fault points in the order in which they are passed. */
export const ERASE_FAULTS = ['erase.begin', 'erase.servers', 'erase.money', 'erase.tables', 'erase.committed'] as const

/**
 * Erases a person in the control plane, in one transaction: servers are deleted, the forfeited balance goes to the
 * house, and the books keep only the account's id. Idempotent.
 */
export async function erasePerson(context: MoneyContext, erasure: Erasure): Promise<ErasureAnswer> {
  const { userId, waivedFt, requestId } = erasure
  await context.faults('erase.begin')
  const answer = await context.db.transaction(async (tx): Promise<ErasureAnswer> => {
    await lockInOrder(tx, { person: userId })
    const left = await readDeparture(tx, context, userId)
    const refusal = refuseErasure({ ...left, waivedFt, hasForfeited: await hasForfeited(tx, userId) })
    if (refusal !== null) return { ok: false, code: refusal }
    for (const { id } of left.servers) await requestDeletion(tx, id)
    await context.faults('erase.servers')
    await forfeit(tx, context, { userId, requestId })
    await context.faults('erase.money')
    for (const table of personalTablesOf('control plane')) {
      const statement = erasureStatement(table, erasure)
      if (statement) await tx.query(statement.text, statement.values)
    }
    // Kept for the books: it can no longer be assigned.
    await tx.query(
      'update control.premium_purchases set ended_at = coalesce(ended_at, $2), next_spins_at = null where user_id = $1',
      [userId, new Date(context.clock.now())],
    )
    await context.faults('erase.tables')
    return { ok: true }
  })
  await context.faults('erase.committed')
  return answer
}

async function hasForfeited(tx: Sql, userId: string): Promise<boolean> {
  const rows = await tx.query('select 1 from control.ledger_transactions where idempotency_key = $1', [
    forfeitKey(userId),
  ])
  return rows.length > 0
}

async function forfeit(
  tx: Sql,
  context: MoneyContext,
  { userId, requestId }: { userId: string; requestId: string },
): Promise<void> {
  const ledger = context.ledgerOn(tx)
  const { money, bonus } = await ledger.userBalance(userId, 'HUF')
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: `user:${userId}`, requestId }
  const parts = { userId, money, bonus }
  if (isNothing(money) && isNothing(bonus)) return
  const posted = await ledger.post(forfeited(origin, parts))
  assert(posted.ok, 'What is available can be given up.')
  await writeStatementLine(tx, context, {
    userId,
    type: 'correction',
    paymentType: 'balance',
    status: 'finished',
    amountFt: -(money.minor + bonus.minor),
    reason: 'Balance given up with the account',
    document: { kind: 'account', id: userId },
  })
}

const isNothing = ({ minor }: Money): boolean => minor === forints(0n).minor
