import * as z from 'zod'
import { ContextMark, SeenContext } from '../http/desk/server-context.ts'
import { TicketCustomer } from '../http/desk/ticket-customer.ts'
import { TicketFigures, TicketFiguresQuery } from '../http/desk/ticket-figures.ts'
import { GrantedTestServer } from '../http/lifetime.ts'
import { Ticket, TicketAttachment, TicketList } from '../http/desk/ticket-entity.ts'
import {
  AddedTicketPerson,
  TicketAssignment,
  TicketCategories,
  TicketColleagues,
  TicketFilter,
  TicketMerge,
  TicketMessage,
  TicketMove,
  TicketOpening,
  TicketQueue,
  TicketQueueFilter,
  TicketRating,
  TicketRead,
  TicketReply,
  TicketTestServer,
  TicketUpload,
  TicketView,
} from '../http/ticket.ts'
import { Id, Nothing } from '../primitives.ts'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { Paging } from './paging.ts'

/** In base64: four characters for three bytes. */
const AttachmentBytes = z.string().max(4 * Math.ceil(ATTACHMENT_BOUNDS.bytes / 3))

/** Rows of the internal API about tickets: what the caller sees of them, as their customer or as staff, and what they do. */
export const ticketCallsOf = <Caller extends z.ZodType>(caller: Caller) => {
  const ofTicket = { caller, ticketId: Id }
  return {
    tickets: { input: z.object({ caller, ...TicketFilter.shape, ...Paging }), output: TicketList },
    'ticket-categories': { input: z.object({ caller }), output: TicketCategories },
    'ticket-context': { input: z.object({ caller, serverId: Id }), output: SeenContext },
    ticket: {
      input: z.object({ ...ofTicket, ...Paging, serverMark: ContextMark.optional() }),
      output: TicketView,
    },
    'open-ticket': { input: z.object({ caller, request: TicketOpening }), output: TicketView },
    'answer-ticket': { input: z.object({ ...ofTicket, request: TicketReply }), output: TicketMessage },
    /** Only staff write and read notes. */
    'note-ticket': { input: z.object({ ...ofTicket, request: TicketReply }), output: TicketMessage },
    'upload-ticket-attachment': {
      input: z.object({ caller, ...TicketUpload.shape, bytes: AttachmentBytes }),
      output: TicketAttachment,
    },
    'drop-ticket-attachment': { input: z.object({ caller, attachmentId: Id }), output: Nothing },
    'ticket-attachment': {
      input: z.object({ ...ofTicket, attachmentId: Id }),
      output: z.object({ name: z.string(), mediaType: z.string(), bytes: AttachmentBytes }),
    },
    'close-ticket': { input: z.object(ofTicket), output: Ticket },
    'reopen-ticket': { input: z.object(ofTicket), output: Ticket },
    'read-ticket': { input: z.object({ ...ofTicket, ...TicketRead.shape }), output: Nothing },
    'rate-ticket': { input: z.object({ ...ofTicket, ...TicketRating.shape }), output: Ticket },
    /** Acts of staff other than answering. A member of staff who moves a ticket may lose sight of it. */
    'ticket-queue': { input: z.object({ caller, ...TicketQueueFilter.shape, ...Paging }), output: TicketQueue },
    'ticket-figures': { input: z.object({ caller, ...TicketFiguresQuery.shape }), output: TicketFigures },
    'ticket-customer': { input: z.object(ofTicket), output: TicketCustomer },
    'ticket-colleagues': { input: z.object(ofTicket), output: TicketColleagues },
    'assign-ticket': { input: z.object({ ...ofTicket, ...TicketAssignment.shape }), output: Nothing },
    'move-ticket': { input: z.object({ ...ofTicket, ...TicketMove.shape }), output: Nothing },
    'merge-ticket': { input: z.object({ ...ofTicket, ...TicketMerge.shape }), output: Nothing },
    /** Grants the opener a server for a day, once in their life. */
    'grant-ticket-test-server': {
      input: z.object({ ...ofTicket, wanted: TicketTestServer }),
      output: GrantedTestServer,
    },
    'add-ticket-person': { input: z.object({ ...ofTicket, ...AddedTicketPerson.shape }), output: Nothing },
    'remove-ticket-person': { input: z.object({ ...ofTicket, userId: Id }), output: Nothing },
    'delete-ticket': { input: z.object(ofTicket), output: Nothing },
  } as const
}
