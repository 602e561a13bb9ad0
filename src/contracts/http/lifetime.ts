import * as z from 'zod'
import { ServerName } from './order.ts'
import { Id, Instant } from '../primitives.ts'

/** A server for a day, which staff grant a customer once. */
export const GrantTestServer = z.object({ userId: Id, serviceId: Id, packageId: Id, name: ServerName })
export type GrantTestServer = z.infer<typeof GrantTestServer>
export const GrantedTestServer = z.object({ serverId: Id, expiresAt: Instant })

/** Whether automatic billing runs. `jumpMs` is positive when the clock is ahead. */
export const BillingClock = z.object({
  stopped: z
    .object({
      kind: z.enum(['moved', 'back-after-restart', 'apart-from-reference']),
      jumpMs: z.number(),
      noticedAt: Instant,
    })
    .nullable(),
})
export type BillingClock = z.infer<typeof BillingClock>
