import { Stripe } from 'stripe'
import * as z from 'zod'
import type { HintRequest, Hints } from '../../payment-provider.ts'
import type { StripeSettings } from '../../stripe-settings.ts'

/**
 * The age at which a signature expires, in both directions: clocks differ, and a captured message must become useless.
 */
const TOLERANCE_S = 300

/** The part of an event about a payment: the intent itself, or a reference to it. */
const Subject = z.union([
  z.object({ object: z.literal('payment_intent'), id: z.string() }).transform(({ id }) => id),
  z
    .object({ object: z.enum(['charge', 'refund', 'dispute']), payment_intent: z.string() })
    .transform((of) => of.payment_intent),
])
const StripeEvent = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  // Present if the event belongs to a connected account.
  account: z.undefined().optional(),
  data: z.object({ object: z.unknown() }),
})

const signedAtS = (header: string): number => Number(/(?:^|,)t=(\d+)(?:,|$)/.exec(header)?.[1] ?? Number.NaN)

/** Whether one of the secrets has signed these bytes; any of the header's signatures may match. */
function isSigned({ body, headers }: HintRequest, settings: StripeSettings, nowMs: number): boolean {
  const header = headers['stripe-signature'] ?? ''
  // The library checks only the age.
  if (!(signedAtS(header) - nowMs / 1_000 <= TOLERANCE_S)) return false
  return settings.webhookSecrets.some((secret) => {
    try {
      Stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_S, undefined, nowMs)
      return true
    } catch {
      return false
    }
  })
}

/**
 * Extracts the payment from an event with a valid, recent signature. Events of the other mode or of another account are
 * ignored.
 */
export function stripeHints(request: HintRequest, settings: StripeSettings, nowMs: number): Hints {
  if (!isSigned(request, settings, nowMs)) return { ok: false }
  const event = StripeEvent.safeParse(JSON.parse(request.body))
  if (!event.success || event.data.livemode !== settings.secretKey.includes('_live_')) return { ok: false }
  const { id: eventId, type: kind, data } = event.data
  const subject = Subject.safeParse(data.object)
  return { ok: true, hints: subject.success ? [{ eventId, kind, providerPaymentId: subject.data }] : [] }
}
