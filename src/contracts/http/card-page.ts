import * as z from 'zod'

/** The one page that loads a provider's script. The site gives it a policy of its own. */
export const CARD_PAGE_PATH = '/dashboard/balance/card'

/** Where Stripe serves its script; it must come from there (docs.stripe.com/js). */
export const STRIPE_SCRIPT_URL = 'https://js.stripe.com/dahlia/stripe.js'

/** What the card page starts the script with. `publishableKey` is meant to be seen. */
export const CardPageParameters = z.object({ publishableKey: z.string().min(1), scriptUrl: z.url() })
export type CardPageParameters = z.infer<typeof CardPageParameters>
