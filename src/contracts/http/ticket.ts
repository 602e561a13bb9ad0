import * as z from 'zod'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { TICKET_STATES } from '#domain/tickets/ticket-state.ts'
import { Id, Identifier, Instant, MAX_ITEMS } from '../primitives.ts'
import { AboutServer, ContextMark, ServerContext } from './desk/server-context.ts'
import { GrantTestServer } from './lifetime.ts'
import { Paging } from './paging.ts'
import { OtherTicket, Ticket, TicketAttachment, TicketPerson } from './desk/ticket-entity.ts'

/** The limits of a ticket. Lengths are in UTF-16 units, as browsers count them. */
export const TICKET_BOUNDS = {
  title: 120,
  message: 20_000,
  shownMessage: 400,
  messagesShown: 50,
  files: 200,
  people: 20,
  searched: 200,
} as const

const NO_CONTROL = /^[^\p{Cc}]*$/u

export const TicketTitle = z.string().trim().min(1).max(TICKET_BOUNDS.title).regex(NO_CONTROL)
/** Markdown as it was written; whoever shows it renders it. PostgreSQL stores no NUL. */
export const TicketText = z
  .string()
  .max(TICKET_BOUNDS.message)
  .regex(/\S/)
  .refine((text) => !text.includes('\0'))

export const TICKET_RATINGS = ['good', 'bad'] as const
export const TICKET_EVENTS = [
  'closed',
  'reopened',
  'assigned',
  'moved',
  'person added',
  'person removed',
  'merged into',
  'merged from',
  'test server granted',
] as const
export type TicketEvent = (typeof TICKET_EVENTS)[number]

/** The name that a file has at its sender. */
export const TicketUpload = z.object({ name: z.string().max(1_000) })
/** Uploaded files of the caller that go with a message, in their order. */
const Attachments = z
  .array(Id)
  .max(ATTACHMENT_BOUNDS.perMessage)
  .refine((ids) => new Set(ids).size === ids.length)
  .optional()

/** A message, a note or an event of a ticket. Only staff receive notes. */
export const TicketMessage = z.object({
  id: Id,
  kind: z.enum(['message', 'note', 'event']),
  author: z.object({ ...TicketPerson.shape, isStaff: z.boolean() }),
  /** Markdown as it was written; empty for an event. */
  message: z.string(),
  /** The text that a mail program quoted below it, and the signature: shown folded. Absent where there is none. */
  quoted: z.string().optional(),
  /**
   * `about` is the name of a person, a category or a server, or the identifier of a ticket that was merged. `serverId` is there while the server is, for
   * staff and for those who may open its panel.
   */
  event: z.object({ type: z.enum(TICKET_EVENTS), about: z.string().nullable(), serverId: Id.optional() }).nullable(),
  attachments: z.array(TicketAttachment),
  createdAt: Instant,
  /** The ticket in which the line was written, if that was merged into the one that is read. */
  origin: Identifier.optional(),
})
export type TicketMessage = z.infer<typeof TicketMessage>

/** A ticket as its reader sees it, with a page of its messages, oldest first. */
export const TicketView = z.object({
  ticket: Ticket,
  standing: z.enum(['opener', 'added', 'staff']),
  messages: z.array(TicketMessage),
  hasEarlier: z.boolean(),
  /** Whether it is closed, and for less than 30 days. */
  canReopen: z.boolean(),
  /** The closed ticket that this one goes on with, if the reader sees that too. */
  follows: OtherTicket.nullable(),
  /** The opener's rating; null before there is one. */
  rating: z.enum(TICKET_RATINGS).nullable(),
  /**
   * The facts about a server that the customer sent along. Staff and the opener receive it; absent where there is none,
   * and for a reader who has it.
   */
  server: ServerContext.optional(),
  /** The mark of exactly this content, also where the content is left out because its reader named the mark. */
  serverMark: ContextMark.optional(),
})
export type TicketView = z.infer<typeof TicketView>

const Milliseconds = z.int().min(0)

/** The categories in which a ticket can be opened, in the reader's language, with the reply time of the last 30 days if it is known. */
export const TicketCategories = z.array(
  z.object({
    id: Id,
    name: z.string(),
    replyTime: z.object({ medianMs: Milliseconds, ninetyPercentMs: Milliseconds }).nullable(),
  }),
)
export type TicketCategories = z.infer<typeof TicketCategories>

export const TicketOpening = z.strictObject({
  title: TicketTitle,
  categoryId: Id,
  message: TicketText,
  /** A closed ticket of the caller that this one goes on with. */
  followsId: Id.optional(),
  server: AboutServer.optional(),
  attachments: Attachments,
})
export type TicketOpening = z.infer<typeof TicketOpening>
export const TicketReply = z.strictObject({ message: TicketText, attachments: Attachments })
export type TicketReply = z.infer<typeof TicketReply>
export const TicketRead = z.strictObject({ upTo: Id })
export const TicketRating = z.strictObject({ rating: z.enum(TICKET_RATINGS) })
const SearchText = z
  .string()
  .trim()
  .min(1)
  .max(TICKET_BOUNDS.searched)
  .refine((text) => !text.includes('\0'))
  .optional()
/** A state in a request, in whichever case it is written: the specification compares them so. Answers have them in lower case. */
const AskedState = z.preprocess(
  (asked) => (typeof asked === 'string' ? asked.toLowerCase() : asked),
  z.enum(TICKET_STATES),
)
/** `text` finds words in titles, numbers and messages, in their Hungarian, English and German forms; the last may be unfinished. */
const WordFilter = { status: AskedState.optional(), text: SearchText }
/** `find` is a part of the title or of the newest message, without regard to case and accents: the search of the whole site. */
export const TicketFilter = z.object({ ...WordFilter, find: SearchText })
export const TicketQuery = z.object({ ...TicketFilter.shape, ...Paging.shape })
export const TicketMessagesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_ITEMS).optional(),
  before: Id.optional(),
  /** The mark of what the reader has on their page of what was sent along: that is not sent again. */
  serverMark: ContextMark.optional(),
})

/** A ticket in the queue of staff, and since when its customer waits for an answer; null while they do not. */
export const QueuedTicket = z.object({ ...Ticket.shape, waitingSince: Instant.nullable() })
export type QueuedTicket = z.infer<typeof QueuedTicket>
export const TicketQueue = z.array(QueuedTicket)

/** Narrows the queue of the staff who ask for it. */
export const TicketQueueFilter = z.object({
  ...WordFilter,
  categoryId: Id.optional(),
  assignee: z.enum(['me', 'nobody']).optional(),
  openerId: Id.optional(),
})
export const TicketQueueQuery = z.object({ ...TicketQueueFilter.shape, ...Paging.shape })
/** `seen` is whom the caller saw as assignee: somebody who was faster is not replaced unseen. */
export const TicketAssignment = z.strictObject({ userId: Id.nullable(), seen: Id.nullable() })
/** The people who work on the category of a ticket, by name. */
export const TicketColleagues = z.array(TicketPerson)
/** The ticket that takes the lines of another one. */
export const TicketMerge = z.strictObject({ intoId: Id })
/** The test server that the opener of a ticket gets. */
export const TicketTestServer = z.strictObject(GrantTestServer.omit({ userId: true }).shape)
export type TicketTestServer = z.infer<typeof TicketTestServer>
export const TicketMove = z.strictObject({ categoryId: Id })
export const AddedTicketPerson = z.strictObject({ userId: Id })
