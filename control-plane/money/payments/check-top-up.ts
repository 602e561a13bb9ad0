import { NextStep, type TopupCheck } from '#contracts/http/payment.ts'
import { transactionStatus } from '#domain/payments/payment-state.ts'
import { AppError } from '../../platform/app-error.ts'
import type { PaymentContext } from './payment-context.ts'
import { creditedOf, SELECT_PAYMENT, type PaymentRow } from './payment-row.ts'
import { checkPayment } from './settle-payment.ts'

/** A page that polls constantly causes no more provider calls than this. */
const MIN_BETWEEN_MS = 2_000

type Line = { id: string; payment_id: string; refunded_ft: bigint }

/**
 * The state of a customer's own top-up, after a lookup at the provider. `transaction` is the payment or its statement
 * line; undefined for anything else. If the provider is unavailable, the known state is returned.
 */
export async function checkTopUp(
  context: PaymentContext,
  { userId, transaction }: { userId: string; transaction: string },
): Promise<TopupCheck | undefined> {
  const [line] = await context.db.query<Line>(
    `select id, reference_id as payment_id, refunded_ft from control.wallet_transactions
     where user_id = $1 and type = 'top-up' and reference_kind = 'payment' and (id = $2 or reference_id = $2)`,
    [userId, transaction],
  )
  if (!line) return undefined
  const before = await read(context, line.payment_id, userId)
  if (!before) return undefined
  await lookUnlessJustDone(context, before)
  const payment = (await read(context, line.payment_id, userId)) ?? before
  return {
    transactionId: line.id,
    paymentId: payment.id,
    method: payment.provider,
    status: transactionStatus(payment.state),
    amountFt: Number(payment.amount_ft),
    creditedFt: Number(creditedOf(payment)),
    refundedFt: Number(line.refunded_ft),
    next: await nextStepOf(context, payment),
  }
}

async function read({ db }: PaymentContext, id: string, userId: string): Promise<PaymentRow | undefined> {
  const [payment] = await db.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1 and user_id = $2`, [id, userId])
  return payment
}

async function lookUnlessJustDone(context: PaymentContext, payment: PaymentRow): Promise<void> {
  const lookedMs = payment.looked_at?.getTime() ?? 0
  if (payment.state === 'settled' || context.clock.now() - lookedMs < MIN_BETWEEN_MS) return
  await orElse(() => checkPayment(context, payment.id), undefined, context)
}

/** The customer's next step; its secret, if any, is requested again. */
async function nextStepOf(context: PaymentContext, payment: PaymentRow): Promise<NextStep | null> {
  if (payment.state === 'settled' || payment.provider_payment_id === null) return null
  const provider = context.providers.find(payment.provider)
  const { id: paymentId, provider_payment_id: providerPaymentId } = payment
  if (provider?.resume)
    return orElse(async () => provider.resume?.({ paymentId, providerPaymentId }) ?? null, null, context)
  const [row] = await context.db.query<{ next_step: unknown }>('select next_step from control.payments where id = $1', [
    paymentId,
  ])
  const next = NextStep.safeParse(row?.next_step)
  return next.success && transactionStatus(payment.state) === 'processing' ? next.data : null
}

/** The result, or a fallback while the provider is unavailable. */
async function orElse<Answer>(ask: () => Promise<Answer>, otherwise: Answer, { log }: PaymentContext): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ reason: error.message }, 'a provider could not be asked for a page')
    return otherwise
  }
}
