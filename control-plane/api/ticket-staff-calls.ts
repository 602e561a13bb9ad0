import { mayServe } from '#domain/tickets/ticket-access.ts'
import { readPerson } from '../cms/cms-reader.ts'
import { readDebtFt } from '../money/wallet/debt.ts'
import { hadTestServer } from '../money/lifetime/grant-test-server.ts'
import { readCustomerServers } from '../servers/store/customer-servers.ts'
import {
  addTicketPerson,
  assignTicket,
  deleteTicket,
  moveTicket,
  removeTicketPerson,
} from '../tickets/manage-ticket.ts'
import { mergeTicket } from '../tickets/merge-ticket.ts'
import { namesOf } from '../tickets/read-tickets.ts'
import type { KeyRefusal } from '../platform/once-per-key.ts'
import { refuse, type TicketRefusal } from '../tickets/reach-ticket.ts'
import { deskTicket, ticketColleagues } from '../tickets/ticket-desk.ts'
import { ticketFigures } from '../tickets/ticket-figures.ts'
import { ticketQueue } from '../tickets/ticket-queue.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { grantFromTicket } from './grant-from-ticket.ts'
import { keyOf } from './idempotency-key.ts'
import { ticketRefused } from './ticket-refused.ts'

type TicketStaffCall =
  | 'ticket-queue'
  | 'ticket-figures'
  | 'ticket-customer'
  | 'ticket-colleagues'
  | 'assign-ticket'
  | 'move-ticket'
  | 'merge-ticket'
  | 'grant-ticket-test-server'
  | 'add-ticket-person'
  | 'remove-ticket-person'
  | 'delete-ticket'

/** Calls of the staff who work on tickets. */
export const ticketStaffCalls = ({ context }: ApiDeps): Pick<InternalCalls, TicketStaffCall> => {
  const done = async (work: Promise<{ readonly ok: true } | TicketRefusal | KeyRefusal>) => {
    const result = await work
    if (!result.ok) throw ticketRefused(result)
    return {}
  }
  return {
    'ticket-queue': async (input) => {
      const result = await ticketQueue(context.db, input)
      if (!result.ok) throw ticketRefused(result)
      return result.tickets
    },
    'ticket-figures': async (input) => {
      const result = await ticketFigures(context, input)
      if (!result.ok) throw ticketRefused(result)
      return result.figures
    },
    'ticket-customer': async (input) => {
      const found = await deskTicket(context.db, input)
      if (!found.ok) throw ticketRefused(found)
      const { opener_id: ownerId, category_id: categoryId } = found.ticket
      const opener = await readPerson(context.db, ownerId)
      if (opener && !mayServe(input.caller, { isAdmin: opener.is_admin, isSupport: opener.is_support }))
        throw ticketRefused(refuse('FORBIDDEN'))
      const language = opener?.language ?? input.caller.locale
      const names = await namesOf(context.db, { locale: language, userIds: [] })
      const ledger = context.ledgerOn(context.db)
      const [{ available, held }, debtFt, hadTest, servers] = await Promise.all([
        ledger.userBalance(ownerId, 'HUF'),
        readDebtFt(ledger, ownerId),
        hadTestServer(context.db, ownerId),
        readCustomerServers(context, { ownerId, locale: input.caller.locale }),
      ])
      const balance = { availableFt: Number(available.minor), heldFt: Number(held.minor), debtFt: Number(debtFt) }
      return { language, category: names.category(categoryId), balance, ...servers, hadTestServer: hadTest }
    },
    'ticket-colleagues': async (input) => {
      const result = await ticketColleagues(context.db, input)
      if (!result.ok) throw ticketRefused(result)
      return result.people
    },
    'assign-ticket': (input, { requestId }) => done(assignTicket(context, { ...input, requestId })),
    'move-ticket': (input, { requestId }) => done(moveTicket(context, { ...input, requestId })),
    'merge-ticket': (input, meta) =>
      done(mergeTicket(context, { ...input, key: keyOf(meta), requestId: meta.requestId })),
    'grant-ticket-test-server': async (input, meta) => {
      const result = await grantFromTicket(context, { ...input, key: keyOf(meta), requestId: meta.requestId })
      if (!result.ok) throw ticketRefused(result)
      return result.answer
    },
    'add-ticket-person': (input, { requestId }) => done(addTicketPerson(context, { ...input, requestId })),
    'remove-ticket-person': (input, { requestId }) => done(removeTicketPerson(context, { ...input, requestId })),
    'delete-ticket': (input, { requestId }) => done(deleteTicket(context, { ...input, requestId })),
  }
}
