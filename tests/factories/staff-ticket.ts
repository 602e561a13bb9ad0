import { QueuedTicket, TicketMessage, TicketView } from '../../src/contracts/http/ticket.ts'

const AT = '2026-06-01T10:00:00.000Z'
const idOf = (at: number): string => `01890000-0000-7000-8000-${String(at).padStart(12, '0')}`

export const TICKET_ID = idOf(1)
export const [BILLING, TECHNICAL, CUSTOMER, COLLEAGUE] = [idOf(901), idOf(902), idOf(903), idOf(904)]

const LETTERS = 'acdefghjkm'
/** The identifier of the ticket that `at` makes. */
export const identifierOf = (at: number): string =>
  `ticket${LETTERS[Math.floor(at / 10)] ?? ''}${LETTERS[at % 10] ?? ''}`.replace('i', 'y')

/** A ticket in the queue; `at` makes its id. */
export const queuedTicket = (at = 1, facts: Partial<QueuedTicket> = {}): QueuedTicket =>
  QueuedTicket.parse({
    id: idOf(at),
    identifier: identifierOf(at),
    title: `Question ${at}`,
    lastMessage: { message: 'Where is my invoice?', createdAt: AT },
    category: 'Billing',
    categoryId: BILLING,
    status: 'open',
    opener: { id: CUSTOMER, username: 'anna' },
    admin: null,
    addedUsers: [],
    createdAt: AT,
    unread: false,
    waitingSince: AT,
    ...facts,
  })

/** A line of a ticket; `at` makes its id. */
export const ticketLine = (at: number, facts: Partial<TicketMessage> = {}): TicketMessage =>
  TicketMessage.parse({
    id: idOf(100 + at),
    kind: 'message',
    author: { id: CUSTOMER, username: 'anna', isStaff: false },
    message: `Line ${at}`,
    event: null,
    attachments: [],
    createdAt: AT,
    ...facts,
  })

/** A ticket as staff see it. */
export const staffTicket = (facts: Partial<TicketView> = {}, ticket: Partial<QueuedTicket> = {}): TicketView =>
  TicketView.parse({
    ticket: queuedTicket(1, ticket),
    standing: 'staff',
    messages: [ticketLine(1)],
    hasEarlier: false,
    canReopen: false,
    follows: null,
    rating: null,
    ...facts,
  })
