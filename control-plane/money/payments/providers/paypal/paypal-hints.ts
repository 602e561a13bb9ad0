import * as z from 'zod'
import { AppError } from '../../../../platform/app-error.ts'
import type { HintRequest, Hints } from '../../payment-provider.ts'
import type { PaypalClient } from './paypal-client.ts'
import { capturesOfDispute } from './paypal-disputes.ts'
import type { VerificationLimit } from './verification-limit.ts'

const PaypalId = z.string().regex(/^[0-9A-Z]{1,36}$/)
const WebhookEvent = z.object({
  id: z.string().max(200),
  event_type: z.string().max(100),
  resource: z.record(z.string(), z.unknown()),
})
const Order = z.object({ id: PaypalId })
const Related = z.object({ supplementary_data: z.object({ related_ids: z.object({ order_id: PaypalId }) }) })
const Disputed = z.object({ dispute_id: z.string().regex(/^[A-Za-z0-9-]{1,255}$/) })
/** Our ids in an event of a real payment; a forger does not know them. */
const OwnNames = z.object({
  custom_id: z.string().max(127).optional().catch(undefined),
  disputed_transactions: z
    .array(z.object({ custom: z.string().max(2_000).optional() }))
    .max(100)
    .optional()
    .catch(undefined),
})
const Linked = z.object({ links: z.array(z.object({ rel: z.string(), href: z.string() })) })
const Verdict = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) })

/** PayPal's signature headers. `cert_url` is passed on and never fetched by us, but must be PayPal's all the same. */
const Proof = z.object({
  'paypal-auth-algo': z.string().regex(/^[a-zA-Z0-9]{1,100}$/),
  'paypal-cert-url': z
    .url()
    .max(500)
    .refine((url) => /^https:\/\/([a-z0-9-]+\.)*paypal\.com\//.test(url)),
  'paypal-transmission-id': z.string().min(1).max(50),
  'paypal-transmission-sig': z.string().min(1).max(500),
  'paypal-transmission-time': z.iso.datetime({ offset: true }).max(100),
})

type WebhookEvent = z.infer<typeof WebhookEvent>
/** The named object: an order, or a capture or dispute whose order PayPal returns. */
type Named = { readonly order: string } | { readonly capture: string } | { readonly dispute: string } | undefined

function namedIn({ event_type: type, resource }: WebhookEvent): Named {
  if (type.startsWith('CHECKOUT.ORDER.')) {
    const order = Order.safeParse(resource)
    return order.success ? { order: order.data.id } : undefined
  }
  if (type.startsWith('CUSTOMER.DISPUTE.')) {
    const disputed = Disputed.safeParse(resource)
    return disputed.success ? { dispute: disputed.data.dispute_id } : undefined
  }
  if (!/^PAYMENT\.(?:CAPTURE|REFUND)\./.test(type)) return undefined
  const related = Related.safeParse(resource)
  if (related.success) return { order: related.data.supplementary_data.related_ids.order_id }
  const linked = Linked.safeParse(resource)
  const up = linked.success ? (linked.data.links.find(({ rel }) => rel === 'up')?.href ?? '') : ''
  const capture = /\/v2\/payments\/captures\/([0-9A-Z]{1,36})$/.exec(up)?.[1]
  return capture === undefined ? undefined : { capture }
}

function readEvent(body: string): WebhookEvent | undefined {
  try {
    return WebhookEvent.parse(JSON.parse(body))
  } catch {
    return undefined
  }
}

/** The event is sent to PayPal unchanged: reserialized, its checksum would differ. */
async function isVerified(client: PaypalClient, webhookId: string, request: HintRequest): Promise<boolean> {
  const proof = Proof.safeParse(request.headers)
  if (!proof.success) return false
  const sent = JSON.stringify({
    auth_algo: proof.data['paypal-auth-algo'],
    cert_url: proof.data['paypal-cert-url'],
    transmission_id: proof.data['paypal-transmission-id'],
    transmission_sig: proof.data['paypal-transmission-sig'],
    transmission_time: proof.data['paypal-transmission-time'],
    webhook_id: webhookId,
  })
  const body = `${sent.slice(0, -1)},"webhook_event":${request.body}}`
  const path = '/v1/notifications/verify-webhook-signature'
  const answer = await client.call({ method: 'POST', path, body })
  const verdict = Verdict.safeParse(answer.kind === 'done' ? answer.body : undefined)
  if (!verdict.success) throw new AppError('PROVIDER_FAILURE', 'PayPal: no verdict on a signature', { retryable: true })
  return verdict.data.verification_status === 'SUCCESS'
}

async function orderOfCapture(client: PaypalClient, captureId: string): Promise<string | undefined> {
  const answer = await client.call({ method: 'GET', path: `/v2/payments/captures/${captureId}` })
  const capture = Related.safeParse(answer.kind === 'done' ? answer.body : undefined)
  return capture.success ? capture.data.supplementary_data.related_ids.order_id : undefined
}

async function orderOf(client: PaypalClient, named: Exclude<Named, undefined>): Promise<string | undefined> {
  if ('order' in named) return named.order
  if ('capture' in named) return orderOfCapture(client, named.capture)
  const [capture] = await capturesOfDispute(client, named.dispute)
  return capture === undefined ? undefined : orderOfCapture(client, capture)
}

/** Ids in an event that may be ours: its order, and our ids of the payment or the refund. */
function namesIn({ resource }: WebhookEvent, named: Named): string[] {
  const { custom_id: custom, disputed_transactions: disputed = [] } = OwnNames.parse(resource)
  const own = [custom, ...disputed.map((transaction) => transaction.custom)].flatMap((name) => name ?? [])
  return named && 'order' in named ? [named.order, ...own] : own
}

export type HintReader = {
  readonly client: PaypalClient
  readonly webhookId: string
  readonly limit: VerificationLimit
}

/**
 * Extracts the order from an event that PayPal confirms as its own. A message without signature headers is not
 * verified, and strangers cannot cause more verifications than the limit allows.
 */
export async function paypalHints({ client, webhookId, limit }: HintReader, request: HintRequest): Promise<Hints> {
  const event = readEvent(request.body)
  if (!event || !Proof.safeParse(request.headers).success) return { ok: false }
  const named = namedIn(event)
  if (!(await limit.mayAsk(namesIn(event, named)))) return { ok: false, isBusy: true }
  if (!(await isVerified(client, webhookId, request))) return { ok: false }
  if (!named) return { ok: true, hints: [] }
  const providerPaymentId = await orderOf(client, named)
  const hints =
    providerPaymentId === undefined ? [] : [{ eventId: event.id, kind: event.event_type, providerPaymentId }]
  return { ok: true, hints }
}
