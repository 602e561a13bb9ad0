import { createHash } from 'node:crypto'
import type { Locale } from '#contracts/locale.ts'
import type { Money } from '#domain/billing/money.ts'
import { disputeOfAll } from '#domain/payments/reversal.ts'
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
import { paypalClient, type PaypalClient } from './paypal-client.ts'
import { disputesOfCapture } from './paypal-disputes.ts'
import { paypalHints } from './paypal-hints.ts'
import { verificationLimit, type VerificationLimit } from './verification-limit.ts'
import { approvalOf, captureOf, observeOrder, readOrder, readRefund, refundsOf, refundStateOf } from './paypal-order.ts'
import type { PaypalOrder, PaypalRefund } from './paypal-order.ts'
import type { PaypalSettings } from '../../paypal-settings.ts'

export const PAYPAL_ID = 'paypal'

const HOUR_MS = 3_600_000
const LOCALES: Readonly<Record<Locale, string>> = { en: 'en-GB', hu: 'hu-HU', de: 'de-DE' }

/** One order per payment, which the customer approves at PayPal and we capture afterwards. */
export function paypalProvider(
  context: Pick<Context, 'clock'>,
  settings: PaypalSettings,
  options: { readonly timeoutMs?: number; readonly limit?: VerificationLimit } = {},
): PaymentProvider {
  const client = paypalClient(context, settings, options.timeoutMs)
  const limit = options.limit ?? verificationLimit(context)
  return {
    id: PAYPAL_ID,
    capabilities: {
      kinds: ['redirect'],
      sandbox: false,
      minimumFt: 1n,
      maximumFt: 3_000_000n,
      tariffs: [],
      refunds: 'partial',
      tellsDisputes: true,
      // Three hours to open PayPal's page, and three more to approve there.
      windowMs: 6 * HOUR_MS,
      signedHints: true,
    },
    open: (payment) => open(client, payment),
    fetchState: (payment) => fetchState(client, payment),
    parseHint: (request) => paypalHints({ client, limit, webhookId: settings.webhookId }, request),
    refund: (order) => refund(client, order),
  }
}

/** Forints are sent as whole numbers: PayPal refuses decimals in this currency, even zeros. */
const amountOf = ({ minor, currency }: Money) => ({ currency_code: currency, value: minor.toString() })

async function open(
  client: PaypalClient,
  { paymentId, amount, returnUrl, locale }: NewPayment,
): Promise<OpenedPayment> {
  const cancelUrl = new URL(returnUrl)
  cancelUrl.searchParams.set('result', 'cancelled')
  const order = {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: paymentId, invoice_id: paymentId, amount: amountOf(amount) }],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: returnUrl,
          cancel_url: cancelUrl.href,
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          locale: LOCALES[locale],
        },
      },
    },
  }
  const path = '/v2/checkout/orders'
  const answer = await client.call({
    method: 'POST',
    path,
    body: JSON.stringify(order),
    requestId: `order-${paymentId}`,
  })
  if (answer.kind !== 'done') throw refused(path, answer)
  const made = readOrder(answer.body)
  const url = approvalOf(made)
  if (url === undefined) throw new AppError('PROVIDER_FAILURE', 'PayPal: an order without a page', { retryable: true })
  return { providerPaymentId: made.id, next: { kind: 'redirect', url } }
}

const refused = (path: string, answer: { readonly kind: string; readonly issue?: string }): AppError =>
  new AppError('PROVIDER_FAILURE', `PayPal: ${path} ${answer.issue ?? answer.kind}`, { retryable: false })

async function findOrder(client: PaypalClient, orderId: string): Promise<PaypalOrder | null> {
  const path = `/v2/checkout/orders/${encodeURIComponent(orderId)}`
  const answer = await client.call({ method: 'GET', path })
  if (answer.kind === 'missing') return null
  if (answer.kind === 'refused') throw refused(path, answer)
  return readOrder(answer.body)
}

async function fetchState(client: PaypalClient, payment: PaymentRef): Promise<ObservedPayment | null> {
  const order = await findOrder(client, payment.providerPaymentId)
  if (!order) return null
  // Orders that are not ours, or were approved for another payment, are only read.
  const isOurs = payment.paymentId !== '' && order.purchase_units[0].custom_id === payment.paymentId
  if (order.status === 'APPROVED' && isOurs) return capture(client, payment, order)
  return withDisputes(client, order)
}

/** A dispute names the capture, but the capture does not contain the outcome. */
async function withDisputes(client: PaypalClient, order: PaypalOrder): Promise<ObservedPayment> {
  const observed = observeOrder(order)
  const captureId = captureOf(order)
  if (captureId === undefined) return observed
  const disputes = await disputesOfCapture(client, { captureId, amount: observed.amount })
  if (!disputes || disputes.length === 0) return observed
  return { ...observed, disputes, dispute: disputeOfAll(disputes.map(({ state }) => state)) }
}

/**
 * One key per approval: a repetition returns the first result. After a declined card the customer approves again, and
 * the old key would return the old refusal for ever.
 */
function captureKey({ paymentId }: PaymentRef, { update_time: approvedAt = '' }: PaypalOrder): string {
  return `capture-${paymentId}-${createHash('sha256').update(approvedAt).digest('hex').slice(0, 16)}`
}

const ELSEWHERE = [
  'ORDER_ALREADY_CAPTURED',
  'ORDER_COMPLETION_IN_PROGRESS',
  'ORDER_NOT_APPROVED',
  'PAYER_ACTION_REQUIRED',
]

async function capture(client: PaypalClient, payment: PaymentRef, order: PaypalOrder): Promise<ObservedPayment | null> {
  const path = `/v2/checkout/orders/${order.id}/capture`
  const answer = await client.call({ method: 'POST', path, body: '{}', requestId: captureKey(payment, order) })
  if (answer.kind === 'missing') throw refused(path, answer)
  if (answer.kind === 'done') return observeOrder(readOrder(answer.body))
  // The order itself contains its state.
  if (ELSEWHERE.includes(answer.issue)) {
    const now = await findOrder(client, order.id)
    return now && observeOrder(now)
  }
  return { ...observeOrder(order), state: 'failed', failureCode: answer.issue }
}

const observeRefund = (refund: PaypalRefund): ObservedRefund => ({
  state: refundStateOf(refund),
  providerRefundId: refund.id,
  failureCode: refund.status_details?.reason ?? null,
})

/** Searched for first by our own id, because request ids are remembered for only six hours. */
async function refund(client: PaypalClient, order: RefundOrder): Promise<ObservedRefund> {
  const found = await findOrder(client, order.providerPaymentId)
  const captureId = found ? captureOf(found) : undefined
  if (!found || captureId === undefined) return { state: 'failed', providerRefundId: null, failureCode: 'NO_CAPTURE' }
  const known = refundsOf(found).find(({ custom_id: id }) => id === order.refundId)
  if (known) return observeRefund(known)
  const path = `/v2/payments/captures/${captureId}/refund`
  const body = JSON.stringify({ amount: amountOf(order.amount), custom_id: order.refundId })
  const answer = await client.call({ method: 'POST', path, body, requestId: `refund-${order.refundId}` })
  if (answer.kind === 'done') return observeRefund(readRefund(answer.body))
  const failureCode = answer.kind === 'refused' ? answer.issue : 'NO_CAPTURE'
  return { state: 'failed', providerRefundId: null, failureCode }
}
