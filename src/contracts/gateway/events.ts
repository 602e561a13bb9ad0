import * as z from 'zod'
import { SERVER_WORDS } from '#domain/servers/status.ts'
import { TICKET_SIGNS } from '#domain/tickets/ticket-sign.ts'
import { Notification, NotificationsRead } from '../http/notification.ts'
import { AmountFt, Id } from '../primitives.ts'

export const PING_SECONDS = 20

/**
 * Reasons of balance changes, and the sign that each gives the change (specification section 4, clarifications part 4).
 */
export const BALANCE_CHANGE_SIGNS = {
  sandbox: 1,
  barion: 1,
  paypal: 1,
  stripe: 1,
  phone: 1,
  prize: 1,
  refund: 1,
  'correction up': 1,
  order: -1,
  renewal: -1,
  modification: -1,
  premium: -1,
  spin: -1,
  'correction down': -1,
} as const
export type BalanceChangeType = keyof typeof BALANCE_CHANGE_SIGNS
export const BALANCE_CHANGE_TYPES = Object.keys(BALANCE_CHANGE_SIGNS) as [BalanceChangeType, ...BalanceChangeType[]]

/** `change` is positive; the type determines the sign. `balance` is the balance afterwards, as shown by the page. */
export const BalanceChange = z.object({ type: z.enum(BALANCE_CHANGE_TYPES), change: AmountFt, balance: AmountFt })
export const ServerStateChange = z.object({ sid: Id, state: z.enum(SERVER_WORDS) })

const TicketSignWord = z.enum([...TICKET_SIGNS, 'ended'])
/** A page reports that its person is at work on a ticket, without the text. */
export const OwnTicketSign = z.strictObject({ ticketId: Id, sign: TicketSignWord })
export type OwnTicketSign = z.infer<typeof OwnTicketSign>
/** Somebody else is at work on a ticket. Customers get null as `by` for staff: they do not learn the name (SPEC.md G10). */
export const TicketSignOf = z.object({
  ...OwnTicketSign.shape,
  by: z.object({ id: Id, username: z.string() }).nullable(),
})
export type TicketSignOf = z.infer<typeof TicketSignOf>

/** The gateway's messages: `{event, data}`. A client ignores unknown events. */
export const GatewayMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('balance.change'), data: BalanceChange }),
  z.object({ event: z.literal('server.state.change'), data: ServerStateChange }),
  z.object({ event: z.literal('notification.new'), data: Notification }),
  /** The bell was opened on another page: the user's pages update their counts. */
  z.object({ event: z.literal('notification.read'), data: NotificationsRead }),
  z.object({ event: z.literal('ticket.update'), data: z.object({ id: Id }) }),
  z.object({ event: z.literal('ticket.sign'), data: TicketSignOf }),
  z.object({ event: z.literal('resync'), data: z.object({}) }),
  z.object({ event: z.literal('logout'), data: z.object({}) }),
  z.object({ event: z.literal('ping'), data: z.object({}) }),
])
export type GatewayMessage = z.infer<typeof GatewayMessage>

/** A client answers pings and says what its person does with a ticket. Anything else closes the socket with 4400. */
export const GatewayClientMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('pong') }),
  z.object({ event: z.literal('ticket.sign'), data: OwnTicketSign }),
])

/** An event on its way from its process to the gateways: `userIds` are its readers. */
export const RoutedEvent = z.object({ userIds: z.array(Id), message: GatewayMessage, sessionId: Id.optional() })
export type RoutedEvent = z.infer<typeof RoutedEvent>
