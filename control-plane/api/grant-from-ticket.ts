import type { TicketTestServer } from '#contracts/http/ticket.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { mayServe } from '#domain/tickets/ticket-access.ts'
import { grantRefusal } from '#domain/tickets/ticket-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { isSuspended, readPerson } from '../cms/cms-reader.ts'
import type { MoneyContext } from '../money/ledger/money-context.ts'
import { grantTestServerIn, type TestRefusal } from '../money/lifetime/grant-test-server.ts'
import { lockCustomer } from '../money/staff/manual-credit.ts'
import { oncePerKey } from '../platform/once-per-key.ts'
import { announceTicket } from '../tickets/announce-ticket.ts'
import { reachTicket, refuse, type TicketRefusal } from '../tickets/reach-ticket.ts'
import { insertMessage, progressOf } from '../tickets/ticket-store.ts'

type Asked = {
  readonly caller: Caller
  readonly ticketId: string
  readonly wanted: TicketTestServer
  readonly key: string
  readonly requestId: string
}
type Granted = { readonly serverId: string; readonly expiresAt: string }

/** In a call about a ticket NOT_FOUND is the ticket: a service or a package that is gone can't be ordered any more. */
const asOfTicket = (refusal: TestRefusal): TicketRefusal => {
  if (refusal.code === 'NOT_FOUND' || refusal.code === 'MONTHS_INVALID') return refuse('NOT_ORDERABLE')
  const params = 'params' in refusal ? refusal.params : undefined
  return { ...refuse(refusal.code), ...(params && { params }) }
}

/** Why this person gets no test server. Their erasure waits for the grant, or has ended. */
async function refusedFor(tx: Sql, caller: Caller, userId: string): Promise<TicketRefusal | null> {
  const isThere = await lockCustomer(tx, userId)
  // A test server comes once: it is not spent on somebody who cannot open it.
  if (!isThere || (await isSuspended(tx, userId))) return refuse('CUSTOMER_CANNOT_SIGN_IN')
  const opener = await readPerson(tx, userId)
  if (!opener) return null
  if (!mayServe(caller, { isAdmin: opener.is_admin, isSupport: opener.is_support })) return refuse('FORBIDDEN')
  // As for an order: nobody gets a server with an address that may not be theirs.
  return opener.verified ? null : refuse('CUSTOMER_NOT_VERIFIED')
}

async function grant(
  tx: Sql,
  context: MoneyContext,
  { caller, ticketId, wanted, requestId }: Asked,
): Promise<{ readonly ok: true; readonly answer: Granted } | TicketRefusal> {
  // The person is locked before the ticket, as an erasure does it.
  const seen = await reachTicket(tx, { caller, ticketId, right: 'read' })
  if (!seen.ok) return seen
  if (seen.standing !== 'staff') return refuse('FORBIDDEN')
  const userId = seen.ticket.opener_id
  const refused = await refusedFor(tx, caller, userId)
  if (refused !== null) return refused
  const reached = await reachTicket(tx, { caller, ticketId, right: 'manage' })
  if (!reached.ok) return reached
  const { ticket } = reached
  const closed = grantRefusal(progressOf(ticket), context.clock.now())
  if (closed !== null) return refuse(closed)
  const granted = await grantTestServerIn(tx, context, { caller, wanted: { ...wanted, userId }, requestId })
  if (!granted.ok) return asOfTicket(granted)
  const { serverId, expiresAtMs } = granted
  await insertMessage(tx, context, {
    ticketId: ticket.id,
    authorId: caller.userId,
    byStaff: true,
    kind: 'event',
    event: 'test server granted',
    aboutId: serverId,
  })
  await announceTicket(tx, context, { ticketId: ticket.id, requestId })
  return { ok: true, answer: { serverId, expiresAt: new Date(expiresAtMs).toISOString() } }
}

/**
 * Grants the opener of an open ticket their one test server, and says so in the ticket: in one transaction, once for each key (decision 97). For staff who
 * work on the ticket. CUSTOMER_CANNOT_SIGN_IN for an opener whose account is suspended or being deleted,
 * CUSTOMER_NOT_VERIFIED for one whose e-mail address is not confirmed, and the refusals of `grantTestServer`.
 */
export const grantFromTicket = (context: MoneyContext, asked: Asked) => {
  const { caller, key, wanted } = asked
  // PostgreSQL compares ids without regard to case.
  const ticketId = asked.ticketId.toLowerCase()
  const body = { ticketId, wanted }
  const request = { scope: 'grant-ticket-test-server', userId: caller.userId, key, body, atMs: context.clock.now() }
  return context.db.transaction((tx) =>
    oncePerKey<Granted, TicketRefusal>(tx, request, () => grant(tx, context, { ...asked, ticketId })),
  )
}
