import { CARD_PAGE_PATH, STRIPE_SCRIPT_URL } from '#contracts/http/card-page.ts'
import type { Routing } from './page-routing.ts'

/**
 * The resources that Stripe's script loads, frames and connects to (docs.stripe.com/security/guide, "Content security
 * policy").
 */
const STRIPE = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
}

/** The additional origins of the card page's policy. */
export type CardOrigins = {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  readonly connect: readonly string[]
}

/** A script from another address represents the whole provider: its frames and calls use the same origin. */
export const cardOrigins = (scriptUrl: string): CardOrigins => {
  const { origin } = new URL(scriptUrl)
  if (origin === new URL(STRIPE_SCRIPT_URL).origin) return STRIPE
  return { scripts: [origin], frames: [origin], connect: [origin] }
}

const CARD_PAGE = new RegExp(`^/[a-z]{2}${CARD_PAGE_PATH}/?(?:\\?|$)`)

/** Whether this response is the card page: no other page may load its resources. */
export const isCardPage = (routing: Routing): boolean => routing.kind === 'page' && CARD_PAGE.test(routing.target)

/**
 * Wallets open separate windows and request payments within the provider's frames. The bank's redirect contains the
 * payment's secret in the address: it must not leak in a referrer.
 */
export const cardPageHeaders = ({ frames }: CardOrigins): Readonly<Record<string, string>> => ({
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': `camera=(), microphone=(), geolocation=(), usb=(), payment=(self ${frames.map((origin) => `"${origin}"`).join(' ')}), interest-cohort=()`,
  'Referrer-Policy': 'strict-origin',
})
