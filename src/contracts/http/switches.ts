import * as z from 'zod'

/** What staff allow now (specification section 4, admin switches). Pages say it before anybody tries; the calls refuse by themselves. */
export const Switches = z.object({
  ordering: z.boolean(),
  tickets: z.boolean(),
  serverStart: z.boolean(),
  couponUse: z.boolean(),
  registration: z.boolean(),
})
export type Switches = z.infer<typeof Switches>
