import * as z from 'zod'
import { Id, Instant } from '../primitives.ts'

export const TICKET_STATES = ['open', 'waiting for response', 'closed'] as const

/** The Ticket entity of specification section 3. */
export const Ticket = z.object({
  id: Id,
  title: z.string(),
  lastMessage: z.object({ message: z.string(), createdAt: Instant }),
  category: z.string(),
  status: z.enum(TICKET_STATES),
  opener: z.object({ id: Id, username: z.string() }),
  admin: z.object({ id: Id, username: z.string() }).nullable(),
  attachments: z.array(z.object({ id: Id, name: z.string(), sizeBytes: z.int() })),
  addedUsers: z.array(z.object({ id: Id, username: z.string() })),
})
