import type { Hono } from 'hono'
import { AppError } from '../../../platform/app-error.ts'
import type { Context } from '../../../platform/context.ts'
import { BARION_ID, barionProvider } from './barion/barion-provider.ts'
import { PAYPAL_ID, paypalProvider } from './paypal/paypal-provider.ts'
import { verificationLimit } from './paypal/verification-limit.ts'
import { paymentNamed } from '../named-payment.ts'
import type { OnHint, PaymentProvider, PaymentProviders } from '../payment-provider.ts'
import { PHONE_ID, phoneProvider } from './phone/phone-provider.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import { SANDBOX_ID, sandboxProvider } from './sandbox/sandbox-provider.ts'
import { sandboxRoutes } from './sandbox/sandbox-routes.ts'
import { STRIPE_ID, stripeProvider } from './stripe/stripe-provider.ts'

export type PaymentSettings = {
  readonly mode: 'demo' | 'production'
  /** Ids of the enabled payment methods. */
  readonly methods: readonly string[]
  /** Address of the public listener for browsers, without a trailing slash. */
  readonly publicUrl: string
  readonly providers?: ProviderSettings
}

/** `needs` names the provider's required variables; `isSet` tells whether they are set. */
type Entry = {
  readonly needs: readonly string[]
  isSet(providers: ProviderSettings): boolean
  make(context: Context, settings: PaymentSettings): PaymentProvider | undefined
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

/** The payment methods without any configuration. */
export const DEFAULT_METHODS = { demo: [SANDBOX_ID], production: [] } as const

/**
 * Why these payment methods cannot be used, in one sentence for the operator, or undefined if they can. Called at the
 * start: a production deployment with the sandbox does not start.
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

/** Creates the providers of a deployment; throws when `refusePaymentMethods` finds a reason. */
export function paymentProviders(context: Context, settings: PaymentSettings): PaymentProviders {
  const refusal = refusePaymentMethods(settings)
  if (refusal !== undefined) throw new AppError('REFUSED', refusal)
  const all = settings.methods.flatMap((id) => CATALOG[id]?.make(context, settings) ?? [])
  return { all, find: (id) => all.find((provider) => provider.id === id) }
}

/** The demo's payment page: under `/payments/sandbox`, if the sandbox is switched on. */
export function sandboxPages(
  context: Context,
  { providers, onHint }: { readonly providers: PaymentProviders; readonly onHint: OnHint },
): Hono | undefined {
  if (!providers.find(SANDBOX_ID)) return undefined
  return sandboxRoutes({
    context,
    onHint: (providerPaymentId) => onHint({ provider: SANDBOX_ID, eventId: null, kind: 'decided', providerPaymentId }),
  })
}
