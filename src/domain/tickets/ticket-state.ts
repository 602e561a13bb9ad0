/** The states of a ticket (frozen by the specification; compared without regard to case). */
export const TICKET_STATES = ['open', 'waiting for response', 'closed'] as const
export type TicketState = (typeof TICKET_STATES)[number]

/** For how many days after its end a ticket can be reopened; after that a new one links to it (clarifications part 6). */
export const REOPEN_DAYS = 30
const DAY_MS = 86_400_000

/** The facts that decide the next act. Times are epoch milliseconds. */
export type TicketProgress = {
  readonly status: TicketState
  /** When it was closed; null unless it is. */
  readonly closedAtMs: number | null
  /** Since when a customer waits for an answer; null while nobody does. */
  readonly waitingSinceMs: number | null
  /** When staff first answered; null before. */
  readonly firstReplyAtMs: number | null
  /** It was merged into another ticket, where it goes on. */
  readonly isMerged: boolean
}

/** The person who acts: the opener and added people are customers. */
export type TicketSide = 'customer' | 'staff'
export const TICKET_ACTS = ['message', 'close', 'reopen'] as const
export type TicketAct = (typeof TICKET_ACTS)[number]

export type TicketActRefusal = 'TICKET_CLOSED' | 'TICKET_NOT_CLOSED' | 'TICKET_TOO_OLD'

/** A ticket that was just opened with its first message. */
export const openedTicket = (nowMs: number): TicketProgress => ({
  status: 'open',
  closedAtMs: null,
  waitingSinceMs: nowMs,
  firstReplyAtMs: null,
  isMerged: false,
})

/** Whether a ticket can be reopened at this time: it is closed, for less than 30 days, and not merged into another. */
export const canReopen = ({ closedAtMs, isMerged }: TicketProgress, nowMs: number): boolean =>
  closedAtMs !== null && !isMerged && nowMs - closedAtMs < REOPEN_DAYS * DAY_MS

/** Whether staff can take a ticket for themselves: it is not closed, and goes on in no other. */
export const canBeTaken = ({ status, isMerged }: Pick<TicketProgress, 'status' | 'isMerged'>): boolean =>
  status !== 'closed' && !isMerged

/** A customer's message makes it open and waits from the first unanswered one; a reply of staff makes it wait for the customer. */
const afterMessage = (ticket: TicketProgress, side: TicketSide, nowMs: number): TicketProgress =>
  side === 'customer'
    ? { ...ticket, status: 'open', waitingSinceMs: ticket.waitingSinceMs ?? nowMs }
    : {
        ...ticket,
        status: 'waiting for response',
        waitingSinceMs: null,
        firstReplyAtMs: ticket.firstReplyAtMs ?? nowMs,
      }

/** Why a closed ticket takes no message: it can be reopened first, or a new one is opened because it is closed for too long. */
const closedRefusal = (ticket: TicketProgress, nowMs: number): TicketActRefusal =>
  ticket.isMerged || canReopen(ticket, nowMs) ? 'TICKET_CLOSED' : 'TICKET_TOO_OLD'

/**
 * Why staff can't grant anything from a ticket; null if they can. Its customer couldn't answer in a closed one, so that it is reopened first, or a new
 * one is opened. A grant is no answer: the ticket keeps its state.
 */
export const grantRefusal = (ticket: TicketProgress, nowMs: number): TicketActRefusal | null =>
  ticket.status === 'closed' ? closedRefusal(ticket, nowMs) : null

/**
 * The ticket after an act, or why it cannot be done (clarifications part 6). A closed ticket takes no messages: reopening asks
 * first, and after 30 days only a new one goes on with it. A reopened one is open, and waits for staff if the customer reopened it.
 */
export const afterAct = (
  ticket: TicketProgress,
  { act, side, nowMs }: { act: TicketAct; side: TicketSide; nowMs: number },
): { readonly ok: true; readonly ticket: TicketProgress } | { readonly ok: false; readonly code: TicketActRefusal } => {
  const isClosed = ticket.status === 'closed'
  if (act === 'reopen') {
    if (!isClosed) return { ok: false, code: 'TICKET_NOT_CLOSED' }
    if (!canReopen(ticket, nowMs)) return { ok: false, code: 'TICKET_TOO_OLD' }
    const waitingSinceMs = side === 'customer' ? nowMs : null
    return { ok: true, ticket: { ...ticket, status: 'open', closedAtMs: null, waitingSinceMs } }
  }
  if (isClosed) return { ok: false, code: act === 'message' ? closedRefusal(ticket, nowMs) : 'TICKET_CLOSED' }
  if (act === 'message') return { ok: true, ticket: afterMessage(ticket, side, nowMs) }
  return { ok: true, ticket: { ...ticket, status: 'closed', closedAtMs: nowMs, waitingSinceMs: null } }
}
