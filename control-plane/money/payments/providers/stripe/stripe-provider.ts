import type { Stripe } from 'stripe'
import { CARD_PAGE_PATH, type CardPageParameters } from '#contracts/http/card-page.ts'
import type { NextStep } from '#contracts/http/payment.ts'
import { inProviderUnits } from '#domain/payments/payment-amount.ts'
import { AppError } from '../../../../platform/app-error.ts'
import type { Context } from '../../../../platform/context.ts'
import type {
  NewPayment,
  ObservedPayment,
  ObservedRefund,
  OpenedPayment,
  PaymentProvider,
  PaymentRef,
  RefundOrder,
} from '../../payment-provider.ts'
import { mayBePaid, observeIntent, refundStateOf, STRIPE_EXPONENT, type OfCharge } from './observe-intent.ts'
import { isMissing, refusalOf, stripeClient, stripeFailure, withoutStack } from './stripe-client.ts'
import { stripeHints } from './stripe-hints.ts'
import type { StripeSettings } from '../../stripe-settings.ts'

export const STRIPE_ID = 'stripe'

const HOUR_MS = 3_600_000
/** Stripe's page size; no payment has more refunds or disputes. */
const MOST = 100

type At = { readonly stripe: Stripe; readonly settings: StripeSettings }

/** Cards, Apple Pay and Google Pay: one intent per payment, which the card page confirms in the browser. */
export function stripeProvider(
  { clock }: Pick<Context, 'clock'>,
  settings: StripeSettings,
  options: { readonly timeoutMs?: number } = {},
): PaymentProvider {
  const at: At = { settings, stripe: stripeClient(settings, options.timeoutMs) }
  return {
    id: STRIPE_ID,
    capabilities: {
      kinds: ['card', 'wallet'],
      sandbox: false,
      // Stripe's minimum charge; the maximum is eight digits of its unit.
      minimumFt: 175n,
      maximumFt: 999_999n,
      tariffs: [],
      refunds: 'partial',
      tellsDisputes: true,
      windowMs: 24 * HOUR_MS,
      signedHints: true,
    },
    open: (payment) => open(at, payment),
    resume: (payment) => resume(at, payment),
    fetchState: (payment) => fetchState(at, payment),
    parseHint: (request) => Promise.resolve(stripeHints(request, settings, clock.now())),
    refund: (order) => refund(at, order),
  }
}

/** The key is derived from the payment: after a lost response the same one is returned. */
async function open({ stripe, settings }: At, { paymentId, amount }: NewPayment): Promise<OpenedPayment> {
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: Number(inProviderUnits(amount, STRIPE_EXPONENT)),
        currency: 'huf',
        automatic_payment_methods: { enabled: true },
        metadata: { payment_id: paymentId },
      },
      { idempotencyKey: `pi:${paymentId}:create` },
    )
    return { providerPaymentId: intent.id, next: cardPage(settings, intent) }
  } catch (error) {
    throw failureOf(error)
  }
}

function cardPage(
  { publishableKey, scriptUrl }: StripeSettings,
  { client_secret: secret }: Stripe.PaymentIntent,
): NextStep {
  if (secret === null) throw new AppError('PROVIDER_FAILURE', 'Stripe: an intent without a secret', { retryable: true })
  const parameters: CardPageParameters = { publishableKey, scriptUrl }
  return { kind: 'page', path: CARD_PAGE_PATH, parameters, secret }
}

async function retrieve({ stripe }: At, id: string): Promise<Stripe.PaymentIntent | null> {
  try {
    return await withoutStack(() => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
  } catch (error) {
    if (isMissing(error)) return null
    throw failureOf(error)
  }
}

async function resume(at: At, { providerPaymentId }: PaymentRef): Promise<NextStep | null> {
  const intent = await retrieve(at, providerPaymentId)
  return intent && mayBePaid(intent) ? cardPage(at.settings, intent) : null
}

async function fetchState(at: At, { providerPaymentId }: PaymentRef): Promise<ObservedPayment | null> {
  const intent = await retrieve(at, providerPaymentId)
  if (!intent) return null
  try {
    return observeIntent(intent, await hangingOn(at, intent))
  } catch (error) {
    throw failureOf(error)
  }
}

/** Failed refunds are not included in the charge's total, so the list is read for each paid charge. */
async function hangingOn({ stripe }: At, intent: Stripe.PaymentIntent): Promise<OfCharge> {
  const { latest_charge: charge, id } = intent
  if (intent.status !== 'succeeded' || charge === null || typeof charge === 'string')
    return { refunds: [], disputes: [] }
  const [refunds, disputes] = await Promise.all([
    withoutStack(async () => stripe.refunds.list({ payment_intent: id, limit: MOST })),
    charge.disputed ? stripe.disputes.list({ payment_intent: id, limit: MOST }) : { data: [] },
  ])
  return { refunds: refunds.data, disputes: disputes.data }
}

const observeRefund = (refund: Stripe.Refund): ObservedRefund => ({
  state: refundStateOf(refund),
  providerRefundId: refund.id,
  failureCode: refund.failure_reason ?? null,
})

/** Searched for first: an idempotency key returns the state of its first use, not the current one. */
async function refund({ stripe }: At, order: RefundOrder): Promise<ObservedRefund> {
  const { providerPaymentId, refundId, amount } = order
  try {
    const known = await stripe.refunds.list({ payment_intent: providerPaymentId, limit: MOST })
    const found = known.data.find(({ metadata }) => metadata?.['refund_id'] === refundId)
    if (found) return observeRefund(found)
    const made = await stripe.refunds.create(
      {
        payment_intent: providerPaymentId,
        amount: Number(inProviderUnits(amount, STRIPE_EXPONENT)),
        metadata: { refund_id: refundId },
      },
      { idempotencyKey: `refund:${refundId}` },
    )
    return observeRefund(made)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal !== undefined) return { state: 'failed', providerRefundId: null, failureCode: refusal }
    throw failureOf(error)
  }
}

const failureOf = (error: unknown): AppError => (error instanceof AppError ? error : stripeFailure(error))
