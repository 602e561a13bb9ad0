import * as z from 'zod'

/** Staff's switches (specification section 4, admin switches). Pages show them in advance; the calls enforce them. */
export const Switches = z.object({
  ordering: z.boolean(),
  tickets: z.boolean(),
  serverStart: z.boolean(),
  couponUse: z.boolean(),
  registration: z.boolean(),
})
export type Switches = z.infer<typeof Switches>
