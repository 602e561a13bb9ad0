import * as z from 'zod'

/** The one page that loads a provider's script. The site gives it a separate policy. */
export const CARD_PAGE_PATH = '/dashboard/balance/card'

/** Stripe's script; it must be loaded from there (docs.stripe.com/js). */
export const STRIPE_SCRIPT_URL = 'https://js.stripe.com/dahlia/stripe.js'

/** The parameters of the card page's script. `publishableKey` is public. */
export const CardPageParameters = z.object({ publishableKey: z.string().min(1), scriptUrl: z.url() })
export type CardPageParameters = z.infer<typeof CardPageParameters>
