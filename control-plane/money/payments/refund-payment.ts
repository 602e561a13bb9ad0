import { assert } from '#domain/kernel/assert.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { decidePaymentRefund, type PaymentRefundRefusal } from '#domain/payments/refund-to-source.ts'
import { parseForints } from '#domain/payments/top-up.ts'
import { refundOut } from '../ledger/payment-postings.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { freeMoneyFt } from '../wallet/debt.ts'
import { needsAnother, propose } from '../proposals/money-proposals.ts'
import { announceBalance, recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import type { PaymentContext } from './payment-context.ts'
import { creditedOf, SELECT_PAYMENT, type PaymentRow } from './payment-row.ts'
import { bookRefund, SELECT_REFUND, type RefundRow, type RefundState } from './refund-end.ts'
import { refundedByUsFt, takenBackFt } from './refund-rows.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { recordUnlessErased } from './unless-erased.ts'

export type RefundCommand = {
  /** The member of staff who refunds it. */
  readonly staffId: string
  readonly paymentId: string
  readonly amountFt: number
  readonly reason: string
  readonly requestId: string
  readonly idempotencyKey: string
  /** An approved proposal; without one, an amount above the limit becomes a proposal. */
  readonly proposalId?: string
}

type Written = { readonly refundId: string; readonly proposed?: boolean }
type Refused = { readonly ok: false; readonly code: PaymentRefundRefusal } | KeyRefusal
/** `proposed`: nothing moved, and the id is the proposal's. */
type Begun = RefundState | 'proposed'

/**
 * Refunds a settled payment to its source. The wallet is debited first, in the transaction that stores the refund's id,
 * so that the money cannot be spent meanwhile; then the provider is called with that id. A refused refund returns to
 * the wallet. Returns the progress; the reconciler continues it.
 */
export async function refundPayment(
  context: PaymentContext,
  command: RefundCommand,
): Promise<{ ok: true; refundId: string; state: Begun } | Refused> {
  const { staffId, idempotencyKey: key, paymentId, amountFt, reason } = command
  const written = await context.db.transaction((tx) => {
    const body = { paymentId, amountFt, reason }
    const keyed = { scope: 'refund', userId: staffId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<Written, Refused>(tx, keyed, () => takeFromWallet(tx, context, command))
  })
  if (!written.ok) return written
  await context.faults('refund.recorded')
  const { refundId, proposed } = written.answer
  if (proposed) return { ok: true, refundId, state: 'proposed' }
  return { ok: true, refundId, state: await carryOutSoon(context, refundId) }
}

/** Sends a stored refund to the provider. Without a response the reconciler retries. */
export async function carryOutSoon(context: PaymentContext, refundId: string): Promise<RefundState> {
  try {
    return await carryOutRefund(context, refundId)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.log.warn({ refundId, reason: error.message }, 'a refund waits for its provider')
    return 'requested'
  }
}

/** Stores a refund and debits the wallet, in the caller's transaction; or stores a proposal of one. */
export async function takeFromWallet(
  tx: Sql,
  context: PaymentContext,
  command: RefundCommand,
): Promise<{ ok: true; answer: Written } | { ok: false; code: PaymentRefundRefusal }> {
  await context.faults('refund.begin')
  if (!parseForints(command.amountFt).ok) return { ok: false, code: 'AMOUNT_INVALID' }
  const [payment] = await tx.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1 for update`, [command.paymentId])
  if (!payment) return { ok: false, code: 'NOT_FOUND' }
  const ledger = context.ledgerOn(tx)
  const decision = decidePaymentRefund({
    state: payment.state,
    dispute: payment.dispute,
    creditedFt: creditedOf(payment),
    refundedFt: (await refundedByUsFt(tx, payment.id)) + (await takenBackFt(tx, payment.id)),
    refundedAtProviderFt: payment.refunded_ft,
    freeFt: await freeMoneyFt(ledger, payment.user_id),
    refunds: context.providers.find(payment.provider)?.capabilities.refunds ?? 'none',
    amount: command.amountFt,
    reason: command.reason,
  })
  if (!decision.ok) return decision
  const { amount } = decision
  if (command.proposalId === undefined) {
    const proposal = await proposeRefund(tx, context, { command, userId: payment.user_id, amount })
    if (proposal) return { ok: true, answer: { refundId: proposal, proposed: true } }
  }
  const refundId = context.ids.next()
  const actor = `staff:${command.staffId}`
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor, requestId: command.requestId }
  const refund = { refundId, provider: payment.provider, userId: payment.user_id, amount }
  const posted = await ledger.post(refundOut(origin, refund))
  if (!posted.ok) return { ok: false, code: 'INSUFFICIENT_BALANCE' }
  await context.faults('refund.money-moved')
  await writeRefund(tx, context, { command, payment, refundId, amountFt: amount.minor })
  await context.faults('refund.written')
  return { ok: true, answer: { refundId } }
}

/** The id of a proposal, if the amount needs an approver. */
async function proposeRefund(
  tx: Sql,
  context: PaymentContext,
  { command, userId, amount }: { command: RefundCommand; userId: string; amount: Money },
): Promise<string | undefined> {
  const { staffId, paymentId, reason, requestId } = command
  if (!(await needsAnother(tx, context, { staffId, userId, amount }))) return undefined
  const whole = { act: 'refund', direction: 'debit', bucket: 'money', withDebt: false } as const
  const { id } = await propose(tx, context, { ...whole, staffId, userId, amount, paymentId, reason, requestId })
  const detail = { proposalId: id, paymentId, userId, amountFt: Number(amount.minor), reason }
  await recordActivity(tx, context, { userId: staffId, type: 'staff.refund-proposed', status: 'success', detail })
  return id
}

async function writeRefund(
  tx: Sql,
  context: PaymentContext,
  {
    command,
    payment,
    refundId,
    amountFt,
  }: { command: RefundCommand; payment: PaymentRow } & {
    refundId: string
    amountFt: bigint
  },
): Promise<void> {
  const { user_id: userId, provider } = payment
  const { requestId, reason, staffId } = command
  const at = new Date(context.clock.now())
  await tx.query(
    `insert into control.refunds (id, payment_id, user_id, provider, amount_ft, reason, requested_by, next_check_at,
       request_id, created_at, updated_at, proposal_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $8, $10)`,
    [
      refundId,
      payment.id,
      userId,
      provider,
      amountFt.toString(),
      reason,
      staffId,
      at,
      requestId,
      command.proposalId ?? null,
    ],
  )
  await writeStatementLine(tx, context, {
    userId,
    type: 'refund',
    paymentType: provider,
    amountFt: -amountFt,
    status: 'processing',
    reason,
    document: { kind: 'refund', id: refundId },
  })
  const detail = { paymentId: payment.id, refundId, amountFt: Number(amountFt), reason }
  await recordUnlessErased(tx, context, { userId, type: 'refund.started', status: 'success', detail })
  await recordActivity(tx, context, { userId: staffId, type: 'staff.refund', status: 'success', detail })
  const { available } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  const change = { userId, change: forints(amountFt), balance: available, requestId }
  await announceBalance(tx, context, { ...change, type: 'correction down' })
}

/** Sends a refund to the provider or polls it, and posts its outcome. Repeatable in any state. */
export async function carryOutRefund(context: PaymentContext, refundId: string): Promise<RefundState> {
  const [refund] = await context.db.query<RefundRow>(`${SELECT_REFUND} where r.id = $1`, [refundId])
  assert(refund, 'A refund is never deleted.')
  if (refund.state === 'succeeded' || refund.state === 'failed') return refund.state
  const provider = context.providers.find(refund.provider)
  if (!provider?.refund) throw new AppError('PROVIDER_FAILURE', 'the provider of a refund is not there')
  if (!(await claim(context, refundId))) return refund.state
  const { payment_id: paymentId, provider_payment_id: providerPaymentId } = refund
  const amount = forints(refund.amount_ft)
  const observed = await provider.refund({ paymentId, providerPaymentId, refundId, amount })
  await context.faults('refund.asked')
  const state = await context.db.transaction(async (tx) => {
    const [locked] = await tx.query<RefundRow>(`${SELECT_REFUND} where r.id = $1 for update of r`, [refundId])
    assert(locked, 'A refund is never deleted.')
    await context.faults('refund.locked')
    return bookRefund(tx, context, { refund: locked, observed })
  })
  await context.faults('refund.committed')
  return state
}

/**
 * Two concurrent calls would refund twice at a provider without idempotency keys: the caller holds it for this time.
 */
const LEASE_MS = 2 * 60 * 1000

async function claim({ db, clock }: PaymentContext, refundId: string): Promise<boolean> {
  const now = clock.now()
  const claimed = await db.query(
    'update control.refunds set next_check_at = $3 where id = $1 and next_check_at <= $2 returning id',
    [refundId, new Date(now), new Date(now + LEASE_MS)],
  )
  return claimed.length === 1
}
