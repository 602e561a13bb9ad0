import type * as z from 'zod'
import type { TopupAnswer, TopupRequest } from '#contracts/http/balance.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { decideTopUp, exceedsMaximum, type TopUpDecision, type TopUpRefusal } from '#domain/payments/top-up.ts'
import { walletOf } from '../ledger/chart-of-accounts.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { PaymentContext } from './payment-context.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { openPayment } from './open-payment.ts'
import { writeStatementLine } from '../wallet/statement.ts'

/** When the reconciler first looks up a payment without any hint. */
const FIRST_CHECK_MS = 30_000

export type StartTopUp = {
  readonly caller: Caller
  readonly requestId: string
  readonly idempotencyKey: string
  readonly request: TopupRequest
  readonly returnUrl: string
}

type Started = { readonly paymentId: string; readonly transactionId: string }
type Refused = { readonly ok: false; readonly code: TopUpRefusal } | KeyRefusal

/**
 * Starts a top-up: payment and statement line are stored first, then the provider is called with the payment's own id,
 * so that a repetition after a crash or a time-out finds the same payment there. Returns the address for the customer.
 */
export async function startTopUp(
  context: PaymentContext,
  command: StartTopUp,
): Promise<{ ok: true; answer: z.infer<typeof TopupAnswer> } | Refused> {
  const { request } = command
  const methods = context.providers.all.map(({ id, capabilities }) => ({ id, ...capabilities }))
  const decision = decideTopUp({ ...request, methods, isVerified: command.caller.isVerified })
  if (!decision.ok) return decision
  const started = await context.db.transaction((tx) => {
    const body = { request, returnUrl: command.returnUrl }
    const { caller, idempotencyKey: key } = command
    const keyed = { scope: 'topup', userId: caller.userId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<Started, Refused>(tx, keyed, async () => {
      await context.faults('topup.begin')
      if (await isTooMuch(tx, context, { userId: caller.userId, creditedFt: decision.credited.minor }))
        return { ok: false, code: 'TOPUP_WALLET_FULL' }
      return { ok: true, answer: await writePayment(tx, context, { command, decision }) }
    })
  })
  if (!started.ok) return started
  await context.faults('topup.recorded')
  const opened = await openPayment(context, started.answer.paymentId)
  await context.faults('topup.committed')
  return { ok: true, answer: { transactionId: started.answer.transactionId, ...opened } }
}

/** Top-ups of one customer are started one after the other, so that two of them cannot exceed the limit together. */
async function isTooMuch(
  tx: Sql,
  context: PaymentContext,
  { userId, creditedFt }: { userId: string; creditedFt: bigint },
): Promise<boolean> {
  const { maximumBalanceFt, ledgerOn } = context
  if (maximumBalanceFt === undefined) return false
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('top-up:' || $1::text, 727))`, [userId])
  const [open] = await tx.query<{ total: bigint }>(
    `select coalesce(sum(coalesce(credited_ft, amount_ft)), 0)::bigint as total from control.payments
     where user_id = $1 and state in ('created', 'pending', 'requires_action')`,
    [userId],
  )
  const { balance: balanceFt } = await ledgerOn(tx).account(walletOf(userId), 'HUF')
  return exceedsMaximum({ balanceFt, openFt: open?.total ?? 0n, creditedFt }, maximumBalanceFt)
}

type Decided = Extract<TopUpDecision, { ok: true }>

async function writePayment(
  tx: Sql,
  context: PaymentContext,
  { command, decision }: { command: StartTopUp; decision: Decided },
): Promise<Started> {
  const { caller, requestId, returnUrl } = command
  const { amount, credited, method, kind } = decision
  const now = context.clock.now()
  const paymentId = context.ids.next()
  await tx.query(
    `insert into control.payments (id, user_id, provider, amount_ft, return_url, terms_accepted_at, address, locale,
       request_id, next_check_at, created_at, updated_at, kind, credited_ft)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $6, $6, $11, $12)`,
    [
      paymentId,
      caller.userId,
      method,
      amount.minor.toString(),
      returnUrl,
      new Date(now),
      caller.address,
      caller.locale,
      requestId,
      new Date(now + FIRST_CHECK_MS),
      kind,
      credited.minor.toString(),
    ],
  )
  const transactionId = await writeStatementLine(tx, context, {
    userId: caller.userId,
    type: 'top-up',
    paymentType: method,
    amountFt: credited.minor,
    status: 'processing',
    reason: `Top-up by ${method}`,
    document: { kind: 'payment', id: paymentId },
  })
  const detail = { paymentId, amountFt: Number(amount.minor) }
  const { userId, address } = caller
  await recordActivity(tx, context, { userId, address, type: 'topup.started', status: 'success', detail })
  await enqueue(tx, context, { topic: 'payment-check', payload: { paymentId }, requestId, delayMs: FIRST_CHECK_MS })
  await context.faults('topup.written')
  return { paymentId, transactionId }
}
