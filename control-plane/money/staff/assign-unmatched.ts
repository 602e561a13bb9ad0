import { assert } from '#domain/kernel/assert.ts'
import { forints } from '#domain/billing/money.ts'
import { assignedFt } from '#domain/payments/unmatched-amount.ts'
import type { PaymentProblem } from '#domain/payments/payment-match.ts'
import { transactionStatus } from '#domain/payments/payment-state.ts'
import { topUpSettled } from '../ledger/postings.ts'
import type { ObservedPayment } from '../payments/payment-provider.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { changeTypeOf, tellFailure } from '../payments/credit-payment.ts'
import { payDebt } from '../wallet/debt.ts'
import { invoiceAssigned } from '../invoices/invoice-assigned.ts'
import { postReversals } from '../payments/follow-reversals.ts'
import { lockCustomer } from './manual-credit.ts'
import { documentMovements } from '../payments/money-back.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import { heldOfUnmatched, keepUnmatched, type UnmatchedRow } from '../payments/unmatched-payments.ts'
import type { PaymentContext } from '../payments/payment-context.ts'
import { heldOf, SELECT_PAYMENT, type PaymentRow } from '../payments/payment-row.ts'
import { readReversals } from '../payments/provider-reversals.ts'
import { setStatementStatus, writeStatementLine } from '../wallet/statement.ts'

export type AssignCommand = {
  readonly staffId: string
  readonly unmatchedId: string
  /** The customer to assign it to; null dismisses it without a credit. */
  readonly userId: string | null
  readonly amountFt?: number | undefined
  readonly reason: string
  readonly requestId: string
  /** A site of the previous release sends none. */
  readonly idempotencyKey?: string | undefined
}

export type Assigned = { readonly state: 'assigned' | 'dismissed'; readonly creditedFt: number | null }
export type AssignRefusal = 'NOT_FOUND' | 'RESOLVED' | 'AMOUNT_INVALID' | 'NO_SUCH_USER'

type Row = UnmatchedRow & { readonly kind: 'settlement' | 'refund'; readonly problem: PaymentProblem }
type Refused = { readonly ok: false; readonly code: AssignRefusal }
type Done = { readonly ok: true; readonly answer: Assigned }
type Answer = ({ ok: true } & Assigned) | Refused | KeyRefusal

/**
 * Assigns an unmatched payment to a customer, or dismisses it. The provider is asked first, so that a reversed or
 * changed payment is never credited. It is posted under the key of its provider payment, like every top-up, so it
 * cannot be credited twice. A repetition with the same key returns the first result. Throws PROVIDER_FAILURE while the
 * provider is unavailable.
 */
export async function assignUnmatched(context: PaymentContext, command: AssignCommand): Promise<Answer> {
  const row = await readRow(context.db, command.unmatchedId)
  if (!row) return { ok: false, code: 'NOT_FOUND' }
  // A refund made without us is settled by a correction of the balance, never by a credit.
  if (command.userId !== null && row.kind === 'refund') return { ok: false, code: 'AMOUNT_INVALID' }
  const observed = command.userId === null || row.state !== 'open' ? undefined : await look(context, row)
  const result = await context.db.transaction((tx): Promise<Done | Refused | KeyRefusal> => {
    const { staffId, idempotencyKey: key, unmatchedId, userId, amountFt = null, reason } = command
    const work = () => decide(tx, context, { command, row, observed })
    if (key === undefined) return work()
    const body = { unmatchedId, userId, amountFt, reason }
    const keyed = { scope: 'assign', userId: staffId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<Assigned, Refused>(tx, keyed, work)
  })
  return result.ok ? { ok: true, ...result.answer } : result
}

type Wanted = { command: AssignCommand; row: Row; observed: ObservedPayment | null | undefined }

async function decide(tx: Sql, context: PaymentContext, { command, row, observed }: Wanted): Promise<Done | Refused> {
  // The person is locked before the payment, as everywhere.
  const isThere = command.userId === null || (await lockCustomer(tx, command.userId))
  const payment = row.payment_id === null ? undefined : await lockPayment(tx, row.payment_id)
  const before = await readRow(tx, row.id, 'for update')
  // Assigned meanwhile: its reversals are posted for its new owner.
  if (observed && before?.state === 'open') await followLook(tx, context, { row, observed })
  const unmatched = await readRow(tx, row.id, 'for update')
  assert(unmatched, 'An unmatched payment is never deleted.')
  if (unmatched.state !== 'open' || observed === null) return { ok: false, code: 'RESOLVED' }
  const own = payment?.provider_payment_id === unmatched.provider_payment_id ? payment : undefined
  if (command.userId === null) {
    await resolve(tx, context, { command, creditedFt: null })
    await endProblem(tx, context, own)
    return { ok: true, answer: { state: 'dismissed', creditedFt: null } }
  }
  if (own?.state === 'settled') return { ok: false, code: 'RESOLVED' }
  if (!isThere) return { ok: false, code: 'NO_SUCH_USER' }
  return give(tx, context, { row: unmatched, own, command, userId: command.userId })
}

async function readRow(sql: Sql, id: string, lock: '' | 'for update' = ''): Promise<Row | undefined> {
  const [row] = await sql.query<Row>(
    `select id, provider, provider_payment_id, kind, problem, amount_minor, currency, exponent, forwarded_ft, payment_id, user_id, state,
       credited_ft, went_back_minor, went_back_at from control.unmatched_payments where id = $1 ${lock}`,
    [id],
  )
  return row
}

/** The payment is locked before its unmatched part, as everywhere. */
async function lockPayment(tx: Sql, id: string): Promise<PaymentRow | undefined> {
  const [payment] = await tx.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1 for update`, [id])
  return payment
}

/**
 * The provider's current data: undefined if this deployment no longer has the provider, null if it does not confirm the
 * money.
 */
async function look({ providers }: PaymentContext, row: Row): Promise<ObservedPayment | null | undefined> {
  const provider = providers.find(row.provider)
  if (!provider) return undefined
  const observed = await provider.fetchState({ paymentId: '', providerPaymentId: row.provider_payment_id })
  return observed?.state === 'settled' ? observed : null
}

async function followLook(
  tx: Sql,
  context: PaymentContext,
  { row, observed }: { row: Row; observed: ObservedPayment },
): Promise<void> {
  const { provider, provider_payment_id: providerPaymentId, problem, payment_id: paymentId, user_id: userId } = row
  await keepUnmatched(tx, context, { provider, providerPaymentId, problem, observed, paymentId, userId })
}

type Given = { row: Row; own: PaymentRow | undefined; command: AssignCommand; userId: string }

async function give(tx: Sql, context: PaymentContext, { row, own, command, userId }: Given): Promise<Done | Refused> {
  const amount = { minor: row.amount_minor, currency: row.currency, exponent: row.exponent }
  const amountFt = assignedFt({ amount, forwardedFt: row.forwarded_ft }, command.amountFt)
  if (amountFt === undefined) return { ok: false, code: 'AMOUNT_INVALID' }
  await credit(tx, context, { row, command, userId, amountFt })
  await resolve(tx, context, { command, creditedFt: amountFt })
  const isOwn = own?.user_id === userId
  if (!isOwn) await endProblem(tx, context, own)
  // Reversals from before the assignment are now taken from the customer.
  const reversals = await readReversals(tx, {
    provider: row.provider,
    providerPaymentId: row.provider_payment_id,
  })
  const held = isOwn
    ? { ...heldOf(own), creditedFt: amountFt }
    : heldOfUnmatched({ ...row, state: 'assigned', user_id: userId, credited_ft: amountFt })
  const movements = held ? await postReversals(tx, context, { held, reversals }) : []
  // From here on all other invoices wait for this transaction, so all postings must be done.
  await invoiceAssigned(tx, context, { unmatchedId: row.id, requestId: command.requestId })
  await documentMovements(tx, context, movements)
  return { ok: true, answer: { state: 'assigned', creditedFt: Number(amountFt) } }
}

/** A payment whose money was dismissed, or belonged to somebody else, has no problem any more, and was not paid. */
async function endProblem(tx: Sql, context: PaymentContext, payment: PaymentRow | undefined): Promise<void> {
  if (!payment) return
  const waits = transactionStatus(payment.state) === 'processing'
  await tx.query('update control.payments set problem = null, state = $2, updated_at = $3 where id = $1', [
    payment.id,
    waits ? 'failed' : payment.state,
    new Date(context.clock.now()),
  ])
  if (!waits) return
  await setStatementStatus(tx, context, { document: { kind: 'payment', id: payment.id }, status: 'failed' })
  await tellFailure(tx, context, payment)
}

type Credit = { row: UnmatchedRow; command: AssignCommand; userId: string; amountFt: bigint }

async function credit(tx: Sql, context: PaymentContext, { row, command, userId, amountFt }: Credit): Promise<void> {
  const { provider, provider_payment_id: providerPaymentId } = row
  const { requestId, staffId } = command
  const ledger = context.ledgerOn(tx)
  const amount = forints(amountFt)
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: `staff:${staffId}`, requestId }
  const documentId = row.payment_id ?? row.id
  const posted = await ledger.post(
    topUpSettled(origin, { id: documentId, provider, providerPaymentId, userId, amount }),
  )
  assert(posted.ok, 'An unmatched payment was never credited.')
  await followPayment(tx, context, { row, command, userId, amountFt })
  await payDebt(tx, context, { documentId: row.id, userId, requestId })
  const { available } = await ledger.userBalance(userId, 'HUF')
  const type = changeTypeOf(provider)
  await announceBalance(tx, context, { userId, type, change: amount, balance: available, requestId })
  await notifyUser(tx, context, { userId, text: 'topup.successful', data: { amount: Number(amountFt) }, requestId })
}

/** The matching payment is settled by it; an additional amount gets its own statement line. */
async function followPayment(tx: Sql, context: PaymentContext, { row, userId, amountFt }: Credit): Promise<void> {
  const settled = await tx.query(
    `update control.payments set state = 'settled', problem = null, credited_ft = $3, next_check_at = 'infinity',
       updated_at = $4, settled_at = $4
     where id = $1 and user_id = $2 and provider_payment_id = $5 and state <> 'settled' returning id`,
    [row.payment_id, userId, amountFt.toString(), new Date(context.clock.now()), row.provider_payment_id],
  )
  if (settled.length === 1 && row.payment_id !== null) {
    await tx.query(
      `update control.wallet_transactions set amount_ft = $2 where reference_kind = 'payment' and reference_id = $1 and type = 'top-up'`,
      [row.payment_id, amountFt.toString()],
    )
    await setStatementStatus(tx, context, { document: { kind: 'payment', id: row.payment_id }, status: 'finished' })
    return
  }
  await writeStatementLine(tx, context, {
    userId,
    type: 'top-up',
    paymentType: row.provider,
    amountFt,
    status: 'finished',
    reason: `Top-up by ${row.provider}, assigned by staff`,
    document: { kind: 'unmatched', id: row.id },
  })
}

async function resolve(
  tx: Sql,
  context: PaymentContext,
  { command, creditedFt }: { command: AssignCommand; creditedFt: bigint | null },
): Promise<void> {
  const { staffId, unmatchedId, userId, reason } = command
  await tx.query(
    `update control.unmatched_payments set state = $2, resolved_by = $3, resolution = $4, credited_ft = $5, resolved_at = $6,
       user_id = coalesce($7, user_id) where id = $1`,
    [
      unmatchedId,
      creditedFt === null ? 'dismissed' : 'assigned',
      staffId,
      reason,
      creditedFt?.toString() ?? null,
      new Date(context.clock.now()),
      userId,
    ],
  )
  const detail = { unmatchedId, userId, creditedFt: creditedFt === null ? null : Number(creditedFt), reason }
  await recordActivity(tx, context, { userId: staffId, type: 'staff.unmatched-resolved', status: 'success', detail })
}
