import { CARD_PAGE_PATH, STRIPE_SCRIPT_URL } from '#contracts/http/card-page.ts'
import type { Routing } from './page-routing.ts'

/** What Stripe's script loads, frames and asks by itself (docs.stripe.com/security/guide, "Content security policy"). */
const STRIPE = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
}

/** The origins that the card page's policy has beside the site's own. */
export type CardOrigins = {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  readonly connect: readonly string[]
}

/** A script from another address is the whole provider: its frames and its calls are of the same origin. */
export const cardOrigins = (scriptUrl: string): CardOrigins => {
  const { origin } = new URL(scriptUrl)
  if (origin === new URL(STRIPE_SCRIPT_URL).origin) return STRIPE
  return { scripts: [origin], frames: [origin], connect: [origin] }
}

const CARD_PAGE = new RegExp(`^/[a-z]{2}${CARD_PAGE_PATH}/?(?:\\?|$)`)

/** Whether this answer is the page with the card's fields: no other page may load what it loads. */
export const isCardPage = (routing: Routing): boolean => routing.kind === 'page' && CARD_PAGE.test(routing.target)

/**
 * Wallets open windows of their own and ask the browser for a payment within the provider's frames. The bank's page brings the
 * payment's secret back in the address: it is in nobody's referrer.
 */
export const cardPageHeaders = ({ frames }: CardOrigins): Readonly<Record<string, string>> => ({
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': `camera=(), microphone=(), geolocation=(), usb=(), payment=(self ${frames.map((origin) => `"${origin}"`).join(' ')}), interest-cohort=()`,
  'Referrer-Policy': 'strict-origin',
})
