import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { OnHint, PaymentProviders } from '../../money/payments/payment-provider.ts'

export type PaymentRouteDeps = {
  readonly providers: PaymentProviders
  /** Looks at a payment that somebody outside named. */
  readonly onHint: OnHint
  /** Whether a message without a proof may cause one more look; always when absent. */
  readonly mayAsk?: () => boolean
  /** The pages of the payment sandbox; absent where it is switched off. */
  readonly sandbox: Hono | undefined
}

const MAX_WEBHOOK_BYTES = 64 * 1024

/**
 * The payment routes of the public listener: a webhook for every provider, and the sandbox's page where it is switched
 * on. A webhook is answered with 200 whether or not it names a payment, so it tells a stranger nothing.
 */
export function paymentRoutes({ providers, onHint, mayAsk = () => true, sandbox }: PaymentRouteDeps): Hono {
  const routes = new Hono()
  routes.post('/payments/webhooks/:provider', bodyLimit({ maxSize: MAX_WEBHOOK_BYTES }), async (request) => {
    const provider = providers.find(request.req.param('provider'))
    if (!provider) return request.notFound()
    const { req } = request
    const read = await provider.parseHint({ headers: req.header(), query: req.query(), body: await req.text() })
    if (!read.ok) return request.text('', read.isBusy ? 429 : 400)
    // A sender without a proof may cause as many looks as a shop needs, and no stranger as many as they like.
    if (!provider.capabilities.signedHints && !mayAsk()) return request.text('', 429)
    for (const hint of read.hints) await onHint({ ...hint, provider: provider.id })
    return request.text('', 200)
  })
  if (sandbox) routes.route('/payments/sandbox', sandbox)
  return routes
}
