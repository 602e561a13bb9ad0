import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { OnHint, PaymentProviders } from '../../money/payments/payment-provider.ts'

export type PaymentRouteDeps = {
  readonly providers: PaymentProviders
  /** Looks up a payment that a webhook named. */
  readonly onHint: OnHint
  /** Whether an unproven webhook may cause one more lookup; always, if absent. */
  readonly mayAsk?: () => boolean
  /** The pages of the payment sandbox; absent where it is switched off. */
  readonly sandbox: Hono | undefined
}

const MAX_WEBHOOK_BYTES = 64 * 1024

/**
 * The payment routes of the public listener: a webhook for every provider, and the page of the payment sandbox if it is
 * switched on. A webhook is answered with 200 whether or not it names a payment, so it reveals nothing to a stranger.
 */
export function paymentRoutes({ providers, onHint, mayAsk = () => true, sandbox }: PaymentRouteDeps): Hono {
  const routes = new Hono()
  routes.post('/payments/webhooks/:provider', bodyLimit({ maxSize: MAX_WEBHOOK_BYTES }), async (request) => {
    const provider = providers.find(request.req.param('provider'))
    if (!provider) return request.notFound()
    const { req } = request
    const read = await provider.parseHint({ headers: req.header(), query: req.query(), body: await req.text() })
    if (!read.ok) return request.text('', read.isBusy ? 429 : 400)
    // Unproven webhooks may cause as many lookups as a shop needs, but not an unlimited number.
    if (!provider.capabilities.signedHints && !mayAsk()) return request.text('', 429)
    for (const hint of read.hints) await onHint({ ...hint, provider: provider.id })
    return request.text('', 200)
  })
  if (sandbox) routes.route('/payments/sandbox', sandbox)
  return routes
}
