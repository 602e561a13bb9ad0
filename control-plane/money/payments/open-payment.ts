import { NextStep, PaymentKind } from '#contracts/http/payment.ts'
import { Locale } from '#contracts/locale.ts'
import { forints } from '#domain/billing/money.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { AppError } from '../../platform/app-error.ts'
import type { PaymentContext } from './payment-context.ts'
import { addressOfStep, withoutSecret } from './payment-methods.ts'

type PaymentRow = {
  id: string
  provider: string
  provider_payment_id: string | null
  kind: string
  amount_ft: bigint
  credited_ft: bigint | null
  redirect_url: string | null
  next_step: unknown
  return_url: string
  locale: string
  attempts: number
  request_id: string
}

/** The address for the customer; `next` is absent if the page there fetches it. */
export type Opened = { readonly redirectUrl: string; readonly next?: NextStep }

const COLUMNS = `id, provider, provider_payment_id, kind, amount_ft, credited_ft, redirect_url, next_step, return_url,
  locale, attempts, request_id`

/**
 * Opens a payment at its provider and stores the result. The attempt is counted before the call, so that the provider
 * recognizes a repetition after a crash or a time-out as the same payment, or as another attempt at it.
 */
export async function openPayment(context: PaymentContext, paymentId: string): Promise<Opened> {
  const [stored] = await context.db.query<PaymentRow>(`select ${COLUMNS} from control.payments where id = $1`, [
    paymentId,
  ])
  const provider = stored && context.providers.find(stored.provider)
  if (!stored || !provider) throw new AppError('PROVIDER_FAILURE', `payment ${paymentId} cannot be opened`)
  if (stored.redirect_url !== null) return openedOf(stored, stored.redirect_url)
  const [payment] = await context.db.query<PaymentRow>(
    `update control.payments set attempts = attempts + 1 where id = $1 returning ${COLUMNS}`,
    [paymentId],
  )
  if (!payment) throw new AppError('PROVIDER_FAILURE', `payment ${paymentId} cannot be opened`)
  return openAt(context, provider, payment)
}

async function openAt(context: PaymentContext, provider: PaymentProvider, payment: PaymentRow): Promise<Opened> {
  const returnUrl = new URL(payment.return_url)
  returnUrl.searchParams.set('transaction', payment.id)
  const { providerPaymentId, next } = await provider.open({
    paymentId: payment.id,
    attempt: payment.attempts,
    kind: PaymentKind.parse(payment.kind),
    amount: forints(payment.amount_ft),
    credited: forints(payment.credited_ft ?? payment.amount_ft),
    returnUrl: returnUrl.href,
    locale: Locale.parse(payment.locale),
  })
  await context.faults('topup.opened')
  const now = context.clock.now()
  // The attempt that is stored first wins: all concurrent callers are sent to its page.
  const [kept] = await context.db.query<PaymentRow>(
    `update control.payments set updated_at = $6,
       provider_payment_id = coalesce(provider_payment_id, $2),
       redirect_url = coalesce(redirect_url, $3), next_step = coalesce(next_step, $4), open_until = coalesce(open_until, $5),
       state = case state when 'created' then 'pending' else state end
     where id = $1 returning ${COLUMNS}`,
    [
      payment.id,
      providerPaymentId,
      addressOfStep(next, returnUrl.href),
      JSON.stringify(withoutSecret(next)),
      new Date(now + provider.capabilities.windowMs),
      new Date(now),
    ],
  )
  if (!kept || kept.redirect_url === null) throw new AppError('PROVIDER_FAILURE', `payment ${payment.id} was not kept`)
  context.log.info({ requestId: payment.request_id, paymentId: payment.id, provider: provider.id }, 'payment opened')
  return openedOf(kept, kept.redirect_url)
}

function openedOf(payment: PaymentRow, redirectUrl: string): Opened {
  const next = NextStep.safeParse(payment.next_step)
  return next.success && next.data.kind !== 'page' ? { redirectUrl, next: next.data } : { redirectUrl }
}
