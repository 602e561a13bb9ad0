import * as z from 'zod'
import { Id, Instant } from '../primitives.ts'

/** A browser's description by common names; empty if nothing is recognized. */
export const Device = z.object({
  browser: z.string(),
  system: z.string(),
  kind: z.enum(['desktop', 'phone', 'tablet', 'other']),
})
export type Device = z.infer<typeof Device>

/** A session of the account. */
export const SessionEntry = z.object({
  id: Id,
  device: Device,
  /** The address at the sign-in; `place` is empty if it is unknown locally. */
  ipAddress: z.string(),
  place: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant,
  isCurrent: z.boolean(),
})
export type SessionEntry = z.infer<typeof SessionEntry>
export const SessionList = z.array(SessionEntry)
export const SessionPath = z.object({ id: Id })
