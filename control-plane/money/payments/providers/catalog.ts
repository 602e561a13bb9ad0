import { isUuid } from '#domain/kernel/uuid.ts'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError } from '../../../platform/app-error.ts'
import type { Context } from '../../../platform/context.ts'
import { BARION_ID, barionProvider } from './barion/barion-provider.ts'
import { PAYPAL_ID, paypalProvider } from './paypal/paypal-provider.ts'
import { verificationLimit } from './paypal/verification-limit.ts'
import type { Hint, PaymentProvider, PaymentProviders } from '../payment-provider.ts'
import { PHONE_ID, phoneProvider } from './phone/phone-provider.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import { SANDBOX_ID, sandboxProvider } from './sandbox/sandbox-provider.ts'
import { sandboxRoutes } from './sandbox/sandbox-routes.ts'
import { STRIPE_ID, stripeProvider } from './stripe/stripe-provider.ts'

export type PaymentSettings = {
  readonly mode: 'demo' | 'production'
  /** Ids of the payment methods that are switched on. */
  readonly methods: readonly string[]
  /** Address of the public listener as browsers reach it, without a slash at the end. */
  readonly publicUrl: string
  readonly providers?: ProviderSettings
}

/** `needs` names the variables that the provider cannot do without; `isSet` tells whether they are there. */
type Entry = {
  readonly needs: readonly string[]
  isSet(providers: ProviderSettings): boolean
  make(context: Context, settings: PaymentSettings): PaymentProvider | undefined
}

/** Strangers cause this question, so each part of it is answered by an index. */
export const PAYMENT_NAMED = `select id from control.payments where provider = $1 and provider_payment_id = any ($2::text[])
  union all select id from control.payments where provider = $1 and id = any ($3::uuid[])
  union all select payment_id from control.refunds where provider = $1 and id = any ($3::uuid[]) limit 1`

/** The payment at a provider that one of these names belongs to: its own id, the provider's, or that of a refund of it. */
const paymentNamed =
  ({ db }: Context, provider: string) =>
  async (names: readonly string[]): Promise<string | undefined> => {
    const own = names.filter(isUuid)
    const [row] = await db.query<{ id: string }>(PAYMENT_NAMED, [provider, names, own])
    return row?.id
  }

const webhookUrl = (publicUrl: string, id: string): string => `${publicUrl}/payments/webhooks/${id}`

const CATALOG: Readonly<Record<string, Entry>> = {
  [SANDBOX_ID]: {
    needs: [],
    isSet: () => true,
    make: (context, { publicUrl }) => sandboxProvider(context, publicUrl),
  },
  [BARION_ID]: {
    needs: ['BARION_POS_KEY', 'BARION_PAYEE'],
    isSet: ({ barion }) => barion !== undefined,
    make: (_context, { publicUrl, providers }) =>
      providers?.barion && barionProvider({ ...providers.barion, callbackUrl: webhookUrl(publicUrl, BARION_ID) }),
  },
  [PHONE_ID]: {
    needs: ['PHONE_SECRETS', 'PHONE_TARIFFS'],
    isSet: ({ phone }) => phone !== undefined,
    make: (context, { providers }) => providers?.phone && phoneProvider(context, providers.phone),
  },
  [PAYPAL_ID]: {
    needs: ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'],
    isSet: ({ paypal }) => paypal !== undefined,
    make: (context, { providers }) =>
      providers?.paypal &&
      paypalProvider(context, providers.paypal, {
        limit: verificationLimit(context, paymentNamed(context, PAYPAL_ID)),
      }),
  },
  [STRIPE_ID]: {
    needs: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
    isSet: ({ stripe }) => stripe !== undefined,
    make: (context, { providers }) => providers?.stripe && stripeProvider(context, providers.stripe),
  },
}

/** The methods that a deployment offers when nothing is configured. */
export const DEFAULT_METHODS = { demo: [SANDBOX_ID], production: [] } as const

/**
 * Tells why these payment methods cannot be used, in one sentence for the operator, or undefined when they can. Called
 * before anything starts: a production deployment with the sandbox does not come up.
 */
export function refusePaymentMethods({
  mode,
  methods,
  providers,
}: Pick<PaymentSettings, 'mode' | 'methods' | 'providers'>): string | undefined {
  for (const id of methods) {
    const entry = Object.hasOwn(CATALOG, id) ? CATALOG[id] : undefined
    if (!entry) return `Payment method "${id}" does not exist.`
    if (!entry.isSet(providers ?? {})) return `Payment method "${id}" needs ${entry.needs.join(' and ')}.`
  }
  if (mode === 'production' && methods.includes(SANDBOX_ID)) {
    return 'The sandbox payment method gives away money and is refused in production.'
  }
  return undefined
}

/** Makes the providers of a deployment; throws when `refusePaymentMethods` has a reason. */
export function paymentProviders(context: Context, settings: PaymentSettings): PaymentProviders {
  const refusal = refusePaymentMethods(settings)
  if (refusal !== undefined) throw new AppError('REFUSED', refusal)
  const all = settings.methods.flatMap((id) => CATALOG[id]?.make(context, settings) ?? [])
  return { all, find: (id) => all.find((provider) => provider.id === id) }
}

export type PaymentRouteDeps = {
  readonly context: Context
  readonly providers: PaymentProviders
  /** Looks at a payment that somebody outside named. */
  readonly onHint: (hint: Hint & { readonly provider: string }) => Promise<void>
  /** Whether one more look may be caused by who proved nothing; always when absent. */
  readonly mayAsk?: () => boolean
}

const MAX_WEBHOOK_BYTES = 64 * 1024

/**
 * What the public listener serves of payments: webhooks for every provider, and the sandbox's page where it is switched
 * on. A webhook is answered with 200 whether or not it names a payment, so it tells a stranger nothing.
 */
export function paymentRoutes({ context, providers, onHint, mayAsk = () => true }: PaymentRouteDeps): Hono {
  const routes = new Hono()
  routes.post('/payments/webhooks/:provider', bodyLimit({ maxSize: MAX_WEBHOOK_BYTES }), async (request) => {
    const provider = providers.find(request.req.param('provider'))
    if (!provider) return request.notFound()
    const { req } = request
    const read = await provider.parseHint({ headers: req.header(), query: req.query(), body: await req.text() })
    if (!read.ok) return request.text('', read.isBusy ? 429 : 400)
    // Whoever proves nothing may ask us to look as often as a shop needs, and no stranger as often as they like.
    if (!provider.capabilities.signedHints && !mayAsk()) return request.text('', 429)
    for (const hint of read.hints) await onHint({ ...hint, provider: provider.id })
    return request.text('', 200)
  })
  if (providers.find(SANDBOX_ID)) {
    const hintOf = (providerPaymentId: string) =>
      onHint({ provider: SANDBOX_ID, eventId: null, kind: 'decided', providerPaymentId })
    routes.route('/payments/sandbox', sandboxRoutes({ context, onHint: hintOf }))
  }
  return routes
}
