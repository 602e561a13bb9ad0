import type { Hono } from 'hono'
import { paymentRoutes as routesOf } from '../../control-plane/api/gateway/payment-routes.ts'
import type { OnHint, PaymentProviders } from '../../control-plane/money/payments/payment-provider.ts'
import { sandboxPages } from '../../control-plane/money/payments/providers/catalog.ts'
import type { Context } from '../../control-plane/platform/context.ts'

type Wiring = {
  readonly context: Context
  readonly providers: PaymentProviders
  readonly onHint: OnHint
  readonly mayAsk?: () => boolean
}

/** The payment routes as the gateway assembles them, including the sandbox's pages. */
export const paymentRoutes = ({ context, ...wiring }: Wiring): Hono =>
  routesOf({ ...wiring, sandbox: sandboxPages(context, wiring) })
