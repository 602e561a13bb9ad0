import * as z from 'zod'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { SeenContext } from '../http/desk/server-context.ts'
import { TicketCustomer } from '../http/desk/ticket-customer.ts'
import { TicketFigures, TicketFiguresQuery } from '../http/desk/ticket-figures.ts'
import { GrantedTestServer } from '../http/lifetime.ts'
import { Ticket, TicketAttachment, TicketList } from '../http/desk/ticket-entity.ts'
import {
  AddedTicketPerson,
  TICKET_BOUNDS,
  TicketAssignment,
  TicketCategories,
  TicketColleagues,
  TicketMerge,
  TicketMessage,
  TicketMessagesQuery,
  TicketMove,
  TicketOpening,
  TicketQuery,
  TicketQueue,
  TicketQueueQuery,
  TicketRating,
  TicketRead,
  TicketReply,
  TicketTestServer,
  TicketUpload,
  TicketView,
} from '../http/ticket.ts'
import { Id, Nothing } from '../primitives.ts'

const TicketPath = z.object({ id: Id })
const Bytes = z.instanceof(Uint8Array)
/** JSON writes a character with six, and a title and ids stand beside the message. */
const MAX_BYTES = 6 * TICKET_BOUNDS.message + 4_096
const named = { auth: 'user', path: TicketPath, idAs: 'ticketId' } as const
const lookingUp = { ...named, limit: 'staffRead' } as const
const working = { ...named, limit: 'staffAct', output: Nothing } as const
const saying = { ...named, limit: 'ticketMessage', maxBytes: MAX_BYTES, idempotency: 'required' } as const

/** Rows of the API table: tickets, for customers and the staff who see them. */
export const TICKET_ROUTES = {
  'GET /api/ticket/all': {
    summary: "List the caller's tickets and those to which they were added",
    auth: 'user',
    limit: 'read',
    query: TicketQuery,
    output: TicketList,
  },
  'GET /api/ticket/categories': {
    summary: 'List the categories of tickets, with how soon staff reply',
    auth: 'user',
    limit: 'read',
    call: 'ticket-categories',
    output: TicketCategories,
  },
  'GET /api/ticket-context/{id}': {
    summary: 'Get what would go along with a ticket about a server',
    auth: 'user',
    limit: 'serverContext',
    path: TicketPath,
    idAs: 'serverId',
    call: 'ticket-context',
    output: SeenContext,
  },
  'POST /api/ticket': {
    summary: 'Open a ticket with its first message',
    auth: 'user',
    limit: 'ticket',
    input: TicketOpening,
    inputAs: 'request',
    maxBytes: MAX_BYTES,
    idempotency: 'required',
    call: 'open-ticket',
    output: TicketView,
    status: 201,
  },
  'GET /api/ticket/{id}': {
    summary: 'Get a ticket with its newest messages, or those before one',
    ...named,
    limit: 'read',
    query: TicketMessagesQuery,
    call: 'ticket',
    output: TicketView,
  },
  'POST /api/ticket/{id}/messages': {
    summary: 'Write a message in a ticket',
    ...saying,
    input: TicketReply,
    inputAs: 'request',
    call: 'answer-ticket',
    output: TicketMessage,
    status: 201,
  },
  'POST /api/ticket/{id}/notes': {
    summary: 'Write a note in a ticket that only staff read',
    ...saying,
    input: TicketReply,
    inputAs: 'request',
    call: 'note-ticket',
    output: TicketMessage,
    status: 201,
  },
  'POST /api/ticket-attachment': {
    summary: 'Upload a picture, a text file or a zip archive to send with the next message',
    auth: 'user',
    limit: 'attachment',
    query: TicketUpload,
    takes: 'file',
    input: Bytes,
    maxBytes: ATTACHMENT_BOUNDS.bytes,
    idempotency: 'required',
    output: TicketAttachment,
    status: 201,
  },
  'DELETE /api/ticket-attachment/{id}': {
    summary: 'Remove an uploaded file that was not sent',
    auth: 'user',
    limit: 'attachment',
    path: TicketPath,
    idAs: 'attachmentId',
    call: 'drop-ticket-attachment',
    output: Nothing,
  },
  'GET /api/ticket/{id}/attachments/{attachmentId}': {
    summary: 'Download a file of a ticket',
    ...named,
    limit: 'attachmentFile',
    path: z.object({ id: Id, attachmentId: Id }),
    output: Bytes,
    gives: 'application/octet-stream',
  },
  'POST /api/ticket/{id}/close': {
    summary: 'Close a ticket',
    ...named,
    limit: 'ticketMessage',
    call: 'close-ticket',
    output: Ticket,
  },
  'POST /api/ticket/{id}/reopen': {
    summary: 'Reopen a ticket that was closed in the last 30 days',
    ...named,
    limit: 'ticketMessage',
    call: 'reopen-ticket',
    output: Ticket,
  },
  'POST /api/ticket/{id}/read': {
    summary: 'Note up to which message the caller has read a ticket',
    ...named,
    limit: 'arranging',
    input: TicketRead,
    call: 'read-ticket',
    output: Nothing,
  },
  'POST /api/ticket/{id}/rating': {
    summary: 'Rate a closed ticket, or change the rating once',
    ...named,
    limit: 'ticketMessage',
    input: TicketRating,
    call: 'rate-ticket',
    output: Ticket,
  },
  'GET /api/ticket/queue': {
    summary: 'List the tickets that the caller works on as staff, oldest unanswered first',
    auth: 'user',
    limit: 'staffRead',
    query: TicketQueueQuery,
    output: TicketQueue,
  },
  'GET /api/ticket/figures': {
    summary: 'Get figures of the tickets that the caller works on as staff, in all and by category',
    auth: 'user',
    limit: 'staffRead',
    query: TicketFiguresQuery,
    call: 'ticket-figures',
    output: TicketFigures,
  },
  'GET /api/ticket/{id}/customer': {
    summary: "Get the balance, the servers and their latest errors of a ticket's customer, as staff",
    ...lookingUp,
    call: 'ticket-customer',
    output: TicketCustomer,
  },
  'GET /api/ticket/{id}/colleagues': {
    summary: 'List the staff who work on the category of a ticket',
    ...lookingUp,
    call: 'ticket-colleagues',
    output: TicketColleagues,
  },
  'PUT /api/ticket/{id}/assignee': {
    summary: 'Assign a ticket to a colleague or to no one, unless another one was faster',
    ...working,
    input: TicketAssignment,
    call: 'assign-ticket',
  },
  'PUT /api/ticket/{id}/category': {
    summary: 'Move a ticket to another category',
    ...working,
    input: TicketMove,
    call: 'move-ticket',
  },
  'POST /api/ticket/{id}/merge': {
    summary: 'Merge a ticket into another one of the same customer',
    ...working,
    input: TicketMerge,
    idempotency: 'required',
    call: 'merge-ticket',
  },
  'POST /api/ticket/{id}/test-server': {
    summary: 'Grant the customer of a ticket a one-day test server, once per customer',
    ...working,
    input: TicketTestServer,
    inputAs: 'wanted',
    idempotency: 'required',
    call: 'grant-ticket-test-server',
    output: GrantedTestServer,
  },
  'POST /api/ticket/{id}/people': {
    summary: 'Let another person read and write in a ticket',
    ...working,
    input: AddedTicketPerson,
    call: 'add-ticket-person',
  },
  'DELETE /api/ticket/{id}/people/{userId}': {
    summary: 'Remove a person who was added to a ticket',
    ...working,
    path: z.object({ id: Id, userId: Id }),
    call: 'remove-ticket-person',
  },
  'DELETE /api/ticket/{id}': {
    summary: 'Delete a ticket with everything in it, as an administrator',
    ...working,
    call: 'delete-ticket',
  },
} as const
