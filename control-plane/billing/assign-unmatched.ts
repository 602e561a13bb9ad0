import { assert } from '#domain/kernel/assert.ts'
import { forints } from '#domain/billing/money.ts'
import { parseForints } from '#domain/billing/top-up.ts'
import { topUpSettled } from '../ledger/postings.ts'
import type { Sql } from '../platform/postgres.ts'
import { changeTypeOf } from './credit-payment.ts'
import { payDebt } from './debt.ts'
import { invoiceAssigned } from './invoice-assigned.ts'
import { announceBalance, notifyUser, recordActivity } from './notify-user.ts'
import type { PaymentContext } from './payment-context.ts'
import { setStatementStatus, writeStatementLine } from './statement.ts'

export type AssignCommand = {
  readonly staffId: string
  readonly unmatchedId: string
  /** Whose money it is; null puts it away without a credit. */
  readonly userId: string | null
  readonly amountFt?: number | undefined
  readonly reason: string
  readonly requestId: string
}

export type Assigned = { readonly state: 'assigned' | 'dismissed'; readonly creditedFt: number | null }
export type AssignRefusal = 'NOT_FOUND' | 'RESOLVED' | 'AMOUNT_INVALID' | 'NO_SUCH_USER'

type Row = {
  id: string
  provider: string
  provider_payment_id: string
  kind: 'settlement' | 'refund'
  forwarded_ft: bigint | null
  payment_id: string | null
  user_id: string | null
  state: 'open' | 'assigned' | 'dismissed'
}

/**
 * Gives parked money to a customer, or puts it away. It is posted under the key of its payment at the provider, as every top-up
 * is, so no way leads to a second credit. Told again for the same customer it answers what was done.
 */
export function assignUnmatched(
  context: PaymentContext,
  command: AssignCommand,
): Promise<({ ok: true } & Assigned) | { ok: false; code: AssignRefusal }> {
  return context.db.transaction(async (tx) => {
    const [row] = await tx.query<Row>(
      `select id, provider, provider_payment_id, kind, forwarded_ft, payment_id, user_id, state from control.unmatched_payments
       where id = $1 for update`,
      [command.unmatchedId],
    )
    if (!row) return { ok: false, code: 'NOT_FOUND' }
    if (row.state !== 'open') return { ok: false, code: 'RESOLVED' }
    if (command.userId === null) {
      await resolve(tx, context, { command, creditedFt: null })
      return { ok: true, state: 'dismissed', creditedFt: null }
    }
    // What went back without us is settled with the balance by a correction, never by a credit.
    if (row.kind === 'refund') return { ok: false, code: 'AMOUNT_INVALID' }
    const [person] = await tx.query<{ id: string }>('select id from cms_api.people where id = $1', [command.userId])
    if (!person) return { ok: false, code: 'NO_SUCH_USER' }
    const amountFt = amountOf(row, command.amountFt)
    if (amountFt === undefined) return { ok: false, code: 'AMOUNT_INVALID' }
    await credit(tx, context, { row, command, userId: command.userId, amountFt })
    await resolve(tx, context, { command, creditedFt: amountFt })
    await invoiceAssigned(tx, context, { unmatchedId: row.id, requestId: command.requestId })
    return { ok: true, state: 'assigned', creditedFt: Number(amountFt) }
  })
}

/** What the provider handed over; staff say it only where that is not known in forints. */
function amountOf({ forwarded_ft: knownFt }: Row, said: number | undefined): bigint | undefined {
  if (said === undefined) return knownFt ?? undefined
  const parsed = parseForints(said)
  if (!parsed.ok) return undefined
  return knownFt === null || knownFt === parsed.amount.minor ? parsed.amount.minor : undefined
}

type Credit = { row: Row; command: AssignCommand; userId: string; amountFt: bigint }

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
  assert(posted.ok, 'Parked money was never credited.')
  await followPayment(tx, context, { row, command, userId, amountFt })
  await payDebt(tx, context, { documentId: row.id, userId, requestId })
  const { available } = await ledger.userBalance(userId, 'HUF')
  const type = changeTypeOf(provider)
  await announceBalance(tx, context, { userId, type, change: amount, balance: available, requestId })
  await notifyUser(tx, context, { userId, text: 'topup.successful', data: { amount: Number(amountFt) }, requestId })
}

/** The payment that it belongs to is settled by it; money beside a settled payment gets a line of its own. */
async function followPayment(tx: Sql, context: PaymentContext, { row, userId, amountFt }: Credit): Promise<void> {
  const settled = await tx.query(
    `update control.payments set state = 'settled', credited_ft = $3, next_check_at = 'infinity', updated_at = $4, settled_at = $4
     where id = $1 and user_id = $2 and provider_payment_id = $5 and state <> 'settled' returning id`,
    [row.payment_id, userId, amountFt.toString(), new Date(context.clock.now()), row.provider_payment_id],
  )
  if (settled.length === 1 && row.payment_id !== null) {
    await tx.query(
      `update control.wallet_transactions set amount_ft = $2 where document_kind = 'payment' and document_id = $1 and type = 'top-up'`,
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
    document: { kind: 'none', id: `unmatched:${row.id}` },
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
