import * as z from 'zod'
import { Id, Instant } from '../primitives.ts'

/** What a browser says of itself, in names that people know; empty where it says nothing that is known. */
export const Device = z.object({
  browser: z.string(),
  system: z.string(),
  kind: z.enum(['desktop', 'phone', 'tablet', 'other']),
})
export type Device = z.infer<typeof Device>

/** A place where the account is signed in. */
export const SessionEntry = z.object({
  id: Id,
  device: Device,
  /** The address at the sign-in; `place` is empty where it is not known without asking somebody else. */
  ipAddress: z.string(),
  place: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant,
  isCurrent: z.boolean(),
})
export type SessionEntry = z.infer<typeof SessionEntry>
export const SessionList = z.array(SessionEntry)
export const SessionPath = z.object({ id: Id })
