import {
  readManualCredit,
  splitManualCredit,
  type ManualCreditRefusal,
  type ManualCreditWish,
  type ManualDirection,
  type MoneyBucket,
} from '#domain/payments/manual-credit.ts'
import { add, forints, isLess, type Money } from '#domain/billing/money.ts'
import { bonusOf, walletOf } from '../ledger/chart-of-accounts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { movedByHand } from '../ledger/payment-postings.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { isCustomer } from '../../cms/cms-reader.ts'
import { payDebt, readDebtFt } from '../wallet/debt.ts'
import { needsAnother, propose } from '../proposals/money-proposals.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import type { PaymentContext } from '../payments/payment-context.ts'
import { writeStatementLine } from '../wallet/statement.ts'

export type ManualCreditCommand = Omit<ManualCreditWish, 'amount'> & {
  readonly staffId: string
  readonly address: string
  readonly userId: string
  readonly amountFt: number
  readonly requestId: string
  readonly idempotencyKey: string
}

type Answer = {
  readonly state: 'done' | 'proposed'
  readonly id: string
  readonly expiresAtMs: number | null
}
export type HandRefusal = ManualCreditRefusal | { readonly ok: false; readonly code: 'NO_SUCH_USER' }

/**
 * Moves a customer's balance by hand, once per key. If the same person moves more than the limit for the same customer
 * within a day, it becomes a proposal that waits for an approver.
 */
export async function manualCredit(
  context: PaymentContext,
  command: ManualCreditCommand,
): Promise<({ readonly ok: true } & Answer) | HandRefusal | KeyRefusal> {
  const { staffId, idempotencyKey: key, userId, direction, amountFt, bucket, withDebt, reason } = command
  const result = await context.db.transaction((tx) => {
    const body = { userId, direction, amountFt, bucket, withDebt, reason }
    const keyed = { scope: 'manual-credit', userId: staffId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<Answer, HandRefusal>(tx, keyed, () => moveOrPropose(tx, context, command))
  })
  return result.ok ? { ok: true, ...result.answer } : result
}

async function moveOrPropose(
  tx: Sql,
  context: PaymentContext,
  command: ManualCreditCommand,
): Promise<{ ok: true; answer: Answer } | HandRefusal> {
  const read = readManualCredit({ ...command, amount: command.amountFt })
  if (!read.ok) return read
  const { amount } = read
  const { staffId, userId, address } = command
  if (!(await lockCustomer(tx, userId))) return { ok: false, code: 'NO_SUCH_USER' }
  if (await needsAnother(tx, context, { staffId, userId, amount })) {
    // A movement that would fail now is refused before an approver has to look at it.
    const split = await splitNow(tx, context, { ...command, amount })
    if (!split.ok) return split
    const { id, expiresAtMs } = await propose(tx, context, { ...command, amount, act: 'credit', paymentId: null })
    const detail = { proposalId: id, userId, ...wordsOf(command), amountFt: command.amountFt }
    const type = 'staff.credit-proposed'
    await recordActivity(tx, context, { userId: staffId, address, type, status: 'success', detail })
    return { ok: true, answer: { state: 'proposed', id, expiresAtMs } }
  }
  const id = context.ids.next()
  const moved = await moveByHand(tx, context, { ...command, id, amount, proposal: null })
  return moved.ok ? { ok: true, answer: { state: 'done', id, expiresAtMs: null } } : moved
}

const wordsOf = ({ direction, bucket, withDebt, reason }: Omit<ManualCreditWish, 'amount'>) => ({
  direction,
  bucket,
  withDebt,
  reason,
})

/** Whether the customer exists. A concurrent erasure of the account waits, or has ended. */
export async function lockCustomer(tx: Sql, userId: string): Promise<boolean> {
  await lockInOrder(tx, { person: userId })
  return isCustomer(tx, userId)
}

type Split = { userId: string; direction: ManualDirection; bucket: MoneyBucket; amount: Money; withDebt: boolean }

async function splitNow(tx: Sql, context: PaymentContext, wish: Split) {
  const ledger = context.ledgerOn(tx)
  const { userId, bucket } = wish
  const free = forints(await freeOf(ledger, bucket === 'money' ? walletOf(userId) : bonusOf(userId)))
  return splitManualCredit(wish, { free, owes: (await readDebtFt(ledger, userId)) > 0n })
}

async function freeOf(ledger: Pick<Ledger, 'account'>, account: ReturnType<typeof walletOf>): Promise<bigint> {
  const { balance, held } = await ledger.account(account, 'HUF')
  return balance - held
}

export type HandMovement = Split & {
  /** The row's own id, from which the posting's key is derived. */
  readonly id: string
  readonly reason: string
  /** The requesting member of staff; with a proposal, its author. */
  readonly staffId: string
  readonly address: string
  readonly proposal: { readonly id: string; readonly confirmedBy: string } | null
  readonly requestId: string
}

/** Posts a manual movement and stores it, in the caller's transaction. The customer is notified. */
export async function moveByHand(
  tx: Sql,
  context: PaymentContext,
  hand: HandMovement,
): Promise<{ ok: true } | ManualCreditRefusal> {
  await lockInOrder(tx, { wallet: hand.userId })
  const split = await splitNow(tx, context, hand)
  if (!split.ok) return split
  const { id, userId, staffId, proposal, requestId, reason, direction, bucket } = hand
  const atMs = context.clock.now()
  const origin = { id: context.ids.next(), atMs, actor: `staff:${staffId}`, requestId }
  const ledger = context.ledgerOn(tx)
  const posted = await ledger.post(
    movedByHand(origin, { id, userId, bucket, direction, balance: split.balance, debt: split.debt, reason }),
  )
  if (!posted.ok) return { ok: false, code: 'INSUFFICIENT_BALANCE' }
  await tx.query(
    `insert into control.manual_credits (id, user_id, direction, bucket, balance_ft, debt_ft, reason, made_by, proposal_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      userId,
      direction,
      bucket,
      split.balance.minor.toString(),
      split.debt.minor.toString(),
      reason,
      staffId,
      proposal?.id ?? null,
      new Date(atMs),
    ],
  )
  await tell(tx, context, { hand, balance: split.balance, debt: split.debt })
  if (direction === 'credit' && bucket === 'money') await payDebt(tx, context, { documentId: id, userId, requestId })
  await announce(tx, context, { hand, amount: split.balance })
  return { ok: true }
}

type Told = { hand: HandMovement; balance: Money; debt: Money }

/** The statement line, the notification, and the logs of both sides. */
async function tell(tx: Sql, context: PaymentContext, { hand, balance, debt }: Told): Promise<void> {
  const { id, userId, staffId, proposal, requestId, reason, direction, bucket, address } = hand
  const sign = direction === 'credit' ? 1n : -1n
  if (balance.minor > 0n) {
    await writeStatementLine(tx, context, {
      userId,
      type: 'correction',
      paymentType: bucket === 'money' ? 'staff' : 'bonus',
      amountFt: sign * balance.minor,
      status: 'finished',
      reason,
      document: { kind: 'correction', id },
    })
  }
  const amountFt = Number(sign * add(balance, debt).minor)
  const owed = debt.minor > 0n ? { debt: Number(debt.minor) } : {}
  const data = { amount: amountFt, reason, ...owed }
  await notifyUser(tx, context, { userId, text: 'balance.corrected', data, requestId })
  const detail = { correctionId: id, amountFt, debtFt: Number(debt.minor), bucket, reason }
  await recordActivity(tx, context, { userId, type: 'balance.corrected', status: 'success', detail })
  const audit = { ...detail, userId, proposalId: proposal?.id ?? null, confirmedBy: proposal?.confirmedBy ?? null }
  await recordActivity(tx, context, {
    userId: staffId,
    address,
    type: 'staff.credit',
    status: 'success',
    detail: audit,
  })
}

async function announce(
  tx: Sql,
  context: PaymentContext,
  { hand: { userId, direction, requestId }, amount }: { hand: HandMovement; amount: Money },
): Promise<void> {
  if (!isLess(forints(0n), amount)) return
  const { available } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  const type = direction === 'credit' ? 'correction up' : 'correction down'
  await announceBalance(tx, context, { userId, type, change: amount, balance: available, requestId })
}
