import type * as z from 'zod'
import type { TopupAnswer, TopupRequest } from '#contracts/http/balance.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { Locale } from '#contracts/locale.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { decideTopUp, type TopUpRefusal } from '#domain/billing/top-up.ts'
import { oncePerKey, type KeyRefusal } from './once-per-key.ts'
import type { PaymentProvider } from '../payments/payment-provider.ts'
import { AppError } from '../platform/app-error.ts'
import { enqueue } from '../platform/outbox-writer.ts'
import type { Sql } from '../platform/postgres.ts'
import type { PaymentContext } from './payment-context.ts'
import { recordActivity } from './notify-user.ts'
import { writeStatementLine } from './statement.ts'

/** When the reconciler looks at a payment that nobody has spoken of. */
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
 * Starts a top-up: payment and statement line are written first, then the provider is asked under the payment's own id,
 * so a repetition after a crash or a time-out finds the same payment there. Answers where to send the customer.
 */
export async function startTopUp(
  context: PaymentContext,
  command: StartTopUp,
): Promise<{ ok: true; answer: z.infer<typeof TopupAnswer> } | Refused> {
  const { request } = command
  const availableMethods = context.providers.all.map((provider) => provider.id)
  const decision = decideTopUp({ ...request, availableMethods, isVerified: command.caller.isVerified })
  if (!decision.ok) return decision
  const { amount, method } = decision
  const started = await context.db.transaction((tx) => {
    const body = { request, returnUrl: command.returnUrl }
    const { caller, idempotencyKey: key } = command
    const keyed = { scope: 'topup', userId: caller.userId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<Started, Refused>(tx, keyed, async () => {
      await context.faults('topup.begin')
      return { ok: true, answer: await writePayment(tx, context, { command, amount, method }) }
    })
  })
  if (!started.ok) return started
  await context.faults('topup.recorded')
  const redirectUrl = await openAtProvider(context, { command, method, paymentId: started.answer.paymentId })
  await context.faults('topup.committed')
  return { ok: true, answer: { transactionId: started.answer.transactionId, redirectUrl } }
}

async function writePayment(
  tx: Sql,
  context: PaymentContext,
  { command, amount, method }: { command: StartTopUp; amount: Money; method: string },
): Promise<Started> {
  const { caller, requestId, returnUrl } = command
  const now = context.clock.now()
  const paymentId = context.ids.next()
  await tx.query(
    `insert into control.payments (id, user_id, provider, amount_ft, return_url, terms_accepted_at, address, locale,
       request_id, next_check_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $6, $6)`,
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
    ],
  )
  const transactionId = await writeStatementLine(tx, context, {
    userId: caller.userId,
    type: 'top-up',
    paymentType: method,
    amountFt: amount.minor,
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

type PaymentRow = { amount_ft: bigint; redirect_url: string | null; return_url: string; locale: string }

async function openAtProvider(
  context: PaymentContext,
  { command, method, paymentId }: { command: StartTopUp; method: string; paymentId: string },
): Promise<string> {
  const [row] = await context.db.query<PaymentRow>(
    'select amount_ft, redirect_url, return_url, locale from control.payments where id = $1',
    [paymentId],
  )
  const provider: PaymentProvider | undefined = context.providers.find(method)
  if (!row || !provider) throw new AppError('PROVIDER_FAILURE', `payment ${paymentId} cannot be opened`)
  if (row.redirect_url !== null) return row.redirect_url
  const opened = await provider.open({
    paymentId,
    amount: forints(row.amount_ft),
    returnUrl: row.return_url,
    locale: Locale.parse(row.locale),
  })
  await context.faults('topup.opened')
  await context.db.query(
    `update control.payments set provider_payment_id = $2, redirect_url = $3, updated_at = $4,
       state = case state when 'created' then 'pending' else state end where id = $1`,
    [paymentId, opened.providerPaymentId, opened.redirectUrl, new Date(context.clock.now())],
  )
  context.log.info({ requestId: command.requestId, paymentId, provider: method }, 'payment opened')
  return opened.redirectUrl
}
