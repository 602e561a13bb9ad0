import type { TicketReply } from '#contracts/http/ticket.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { answerTicket } from '../tickets/answer-ticket.ts'
import { closeOrReopen, rateTicket, readTicketUpTo } from '../tickets/change-ticket.ts'
import { openTicket } from '../tickets/open-ticket.ts'
import { reachTicket } from '../tickets/reach-ticket.ts'
import { listTickets, shownTicketOf } from '../tickets/read-tickets.ts'
import { seenContext } from '../tickets/server-context.ts'
import { listTicketCategories } from '../tickets/ticket-categories.ts'
import { shownLine, viewTicket } from '../tickets/view-ticket.ts'
import type { ApiDeps, CallMeta, InternalCalls } from './api-deps.ts'
import { keyOf } from './idempotency-key.ts'
import { ticketRefused } from './ticket-refused.ts'

type TicketCall =
  | 'tickets'
  | 'ticket-categories'
  | 'ticket-context'
  | 'ticket'
  | 'open-ticket'
  | 'answer-ticket'
  | 'note-ticket'
  | 'close-ticket'
  | 'reopen-ticket'
  | 'read-ticket'
  | 'rate-ticket'

/** Calls about tickets, of customers and of the staff who see them. */
export const ticketCalls = ({ context, nodes }: ApiDeps): Pick<InternalCalls, TicketCall> => {
  const view = async (asked: Parameters<typeof viewTicket>[1]) => {
    const result = await viewTicket(context, asked)
    if (!result.ok) throw ticketRefused(result)
    return result.view
  }
  const say = async (
    { caller, ticketId, request }: { caller: Caller; ticketId: string; request: TicketReply },
    meta: CallMeta,
    kind: 'message' | 'note',
  ) => {
    const { requestId } = meta
    const said = {
      caller,
      ticketId,
      kind,
      text: request.message,
      attachmentIds: request.attachments,
      key: keyOf(meta),
      requestId,
    }
    const result = await answerTicket(context, said)
    if (!result.ok) throw ticketRefused(result)
    return shownLine(context.db, caller, result.answer.messageId)
  }
  const act = async (
    asked: { caller: Caller; ticketId: string },
    done: Promise<{ ok: true } | Parameters<typeof ticketRefused>[0]>,
  ) => {
    const result = await done
    const reached = result.ok ? await reachTicket(context.db, { ...asked, right: 'read' }) : result
    if (!reached.ok) throw ticketRefused(reached)
    return shownTicketOf(context.db, { ...asked, isStaff: reached.standing === 'staff' })
  }
  return {
    tickets: (input) => listTickets(context.db, input),
    'ticket-categories': ({ caller }) => listTicketCategories(context, caller),
    'ticket-context': async ({ caller: { userId, locale }, serverId }) => {
      const seen = await seenContext({ ...context, readTail: nodes.consoleTail }, { userId, locale, serverId })
      if (!seen) throw ticketRefused({ ok: false, code: 'NOT_FOUND' })
      return seen
    },
    ticket: view,
    'open-ticket': async ({ caller, request }, meta) => {
      const result = await openTicket(context, { caller, request, key: keyOf(meta), requestId: meta.requestId })
      if (!result.ok) throw ticketRefused(result)
      return view({ caller, ticketId: result.answer.ticketId })
    },
    'answer-ticket': (input, meta) => say(input, meta, 'message'),
    'note-ticket': (input, meta) => say(input, meta, 'note'),
    'close-ticket': (input, { requestId }) => act(input, closeOrReopen(context, { ...input, requestId, act: 'close' })),
    'reopen-ticket': (input, { requestId }) =>
      act(input, closeOrReopen(context, { ...input, requestId, act: 'reopen' })),
    'read-ticket': async (input) => {
      const result = await readTicketUpTo(context, input)
      if (!result.ok) throw ticketRefused(result)
      return {}
    },
    'rate-ticket': (input, { requestId }) => act(input, rateTicket(context, { ...input, requestId })),
  }
}
