import { assert } from '#domain/kernel/assert.ts'
import { debtPaidBy } from '#domain/billing/debt.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { missingFt } from '#domain/billing/runway.ts'
import { debtOf, walletOf } from '../ledger/chart-of-accounts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { debtPaid } from '../ledger/payment-postings.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { writeStatementLine } from './statement.ts'

/**
 * A customer's debt after charge-backs, refunds and corrections, in forints; 0 for everybody else. A customer in debt
 * cannot spend.
 */
export async function readDebtFt(ledger: Pick<Ledger, 'account'>, userId: string): Promise<bigint> {
  const { balance } = await ledger.account(debtOf(userId), 'HUF')
  return -balance
}

/** Money of the wallet without holds. */
export async function freeMoneyFt(ledger: Pick<Ledger, 'account'>, userId: string): Promise<bigint> {
  const { balance, held } = await ledger.account(walletOf(userId), 'HUF')
  return balance - held
}

/**
 * A customer's spendable balance. A customer in debt can spend nothing: new money pays the debt first, and other
 * credits wait.
 */
export async function spendable(ledger: Pick<Ledger, 'account' | 'userBalance'>, userId: string): Promise<Money> {
  const [debtFt, { available }] = await Promise.all([readDebtFt(ledger, userId), ledger.userBalance(userId, 'HUF')])
  return debtFt > 0n ? forints(0n) : available
}

/** The amount to top up before a price can be paid: first the debt, then the shortfall of the balance. */
export async function missingFor(
  ledger: Pick<Ledger, 'account' | 'userBalance'>,
  userId: string,
  amount: Money,
): Promise<Money> {
  const debtFt = Number(await readDebtFt(ledger, userId))
  const { available } = await ledger.userBalance(userId, 'HUF')
  return forints(BigInt(missingFt({ balanceFt: Number(available.minor), debtFt }, Number(amount.minor))))
}

/** Pays a customer's debt from money that just arrived; nothing without a debt. */
export async function payDebt(
  tx: Sql,
  context: MoneyContext,
  { documentId, userId, requestId }: { documentId: string; userId: string; requestId: string },
): Promise<void> {
  const ledger = context.ledgerOn(tx)
  if ((await readDebtFt(ledger, userId)) === 0n) return
  await lockInOrder(tx, { wallet: userId })
  const amount = forints(debtPaidBy(await readDebtFt(ledger, userId), await freeMoneyFt(ledger, userId)))
  if (amount.minor === 0n) return
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: 'system', requestId }
  const posted = await ledger.post(debtPaid(origin, { documentId, userId, amount }))
  assert(posted.ok, 'The wallet was just given what the debt takes.')
  await writeStatementLine(tx, context, {
    userId,
    type: 'correction',
    paymentType: 'debt',
    amountFt: -amount.minor,
    status: 'finished',
    reason: 'Debt of a payment that was taken back',
    document: { kind: 'debt', id: documentId },
  })
}
