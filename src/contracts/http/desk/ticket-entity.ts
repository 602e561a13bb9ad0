import * as z from 'zod'
import { ATTACHMENT_KINDS } from '#domain/tickets/attachment.ts'
import { TICKET_STATES } from '#domain/tickets/ticket-state.ts'
import { Id, Identifier, Instant } from '../../primitives.ts'

/** A ticket that another one names. */
export const OtherTicket = z.object({ id: Id, identifier: Identifier })

export const TicketPerson = z.object({ id: Id, username: z.string() })

/** A file of a message, or one that was uploaded for the next message. `size` is in bytes. */
export const TicketAttachment = z.object({
  id: Id,
  name: z.string(),
  kind: z.enum(ATTACHMENT_KINDS),
  size: z.int().positive(),
})
export type TicketAttachment = z.infer<typeof TicketAttachment>

/** The Ticket entity of specification section 3. `category` is its name in the reader's language. */
export const Ticket = z.object({
  id: Id,
  identifier: Identifier,
  title: z.string(),
  /** The start of the newest message that the reader may see, as plain words in one line. */
  lastMessage: z.object({ message: z.string(), createdAt: Instant }),
  category: z.string(),
  categoryId: Id,
  status: z.enum(TICKET_STATES),
  opener: TicketPerson,
  admin: TicketPerson.nullable(),
  addedUsers: z.array(TicketPerson),
  /**
   * The files of all messages that the reader may see, oldest first, and of very many the newest `TICKET_BOUNDS.files`. Absent in lists, where each
   * ticket would have to be looked through.
   */
  attachments: z.array(TicketAttachment).optional(),
  createdAt: Instant,
  /** Whether there is something that the reader has not read. */
  unread: z.boolean(),
  /** The ticket that it was merged into and in which it goes on; absent for every other one. */
  mergedInto: OtherTicket.optional(),
})
export type Ticket = z.infer<typeof Ticket>
export const TicketList = z.array(Ticket)
