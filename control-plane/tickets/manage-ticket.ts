import { TICKET_BOUNDS, type TicketEvent } from '#contracts/http/ticket.ts'
import type { TicketRight } from '#domain/tickets/ticket-access.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { isCustomer, readPerson, readTicketCategories, readTicketStaff } from '../cms/cms-reader.ts'
import type { Context } from '../platform/context.ts'
import { announceTicket } from './announce-ticket.ts'
import { reachTicket, refuse, type ReachedTicket, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { tellFormerAssignee } from './tell-assignee.ts'
import { lockNewTicketBells, tellNewTicket } from './tell-new-ticket.ts'
import { forgetBells, tellAdded, tellAssigned, unlinkBells } from './tell-people.ts'
import { insertMessage, type TicketRow } from './ticket-store.ts'

type Changing = Pick<Context, 'db' | 'clock' | 'ids'>
type Asked = { readonly caller: TicketCaller; readonly ticketId: string; readonly requestId: string }
type Done = { readonly ok: true } | TicketRefusal
type MovedStaff = { readonly former: readonly string[]; readonly next: readonly string[] }
/** The event that a change writes into the ticket, and the further people who are told; null when nothing changed. */
type Changed = {
  readonly ok: true
  readonly event: TicketEvent
  readonly aboutId?: string | undefined
  readonly also?: readonly string[]
} | null

/** Runs a change of staff on a locked ticket, says so in it, and tells everybody who sees it. */
const changed = (
  context: Changing,
  { caller, ticketId, requestId }: Asked,
  work: (tx: Sql, reached: ReachedTicket) => Promise<Changed | TicketRefusal>,
): Promise<Done> =>
  context.db.transaction(async (tx) => {
    const reached = await reachTicket(tx, { caller, ticketId, right: 'manage' satisfies TicketRight })
    if (!reached.ok) return reached
    const result = await work(tx, reached)
    if (result === null) return { ok: true }
    if (!result.ok) return result
    const { event, aboutId, also = [] } = result
    await insertMessage(tx, context, {
      ticketId,
      authorId: caller.userId,
      byStaff: true,
      kind: 'event',
      event,
      aboutId,
    })
    await announceTicket(tx, context, { ticketId, requestId, also })
    return { ok: true }
  })

const invalid = (field: string): TicketRefusal => ({ ...refuse('VALIDATION'), fields: { [field]: 'invalid' } })

/**
 * Gives a ticket to somebody who works on its category, or to nobody. TICKET_TAKEN with their name when it belongs to somebody whom the
 * caller has not seen there: of two who take it at once the first one has it.
 */
export const assignTicket = (
  context: Changing,
  asked: Asked & { readonly userId: string | null; readonly seen: string | null },
): Promise<Done> =>
  changed(context, asked, async (tx, { ticket }) => {
    const { userId, seen } = asked
    const { assignee_id: assignee } = ticket
    if (assignee === userId) return null
    if (assignee !== null && assignee !== seen) {
      const who = (await readPerson(tx, assignee))?.username ?? ''
      return { ...refuse('TICKET_TAKEN'), params: { who } }
    }
    const mayWork = userId === null || (await readTicketStaff(tx, ticket.category_id)).includes(userId)
    if (!mayWork || userId === ticket.opener_id) return invalid('userId')
    await tx.query('update control.tickets set assignee_id = $2 where id = $1', [ticket.id, userId])
    await tellFormerAssignee(tx, context, {
      assigneeId: assignee,
      byId: asked.caller.userId,
      text: 'ticket.taken',
      ticket: { id: ticket.id, title: ticket.title, categoryId: ticket.category_id },
      requestId: asked.requestId,
    })
    const { caller, requestId } = asked
    if (userId !== null) await tellAssigned(tx, context, { ticket, userId, byId: caller.userId, requestId })
    return { ok: true, event: 'assigned', aboutId: userId ?? undefined }
  })

/** Tells staff who see a moved ticket now that it is new to them, unless it is closed or somebody has it, and takes its links from those who see it no more. */
async function tellMoved(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { ticket, isFree, staff, asked }: { ticket: TicketRow; isFree: boolean; staff: MovedStaff; asked: Asked },
): Promise<void> {
  const { former, next } = staff
  const { requestId } = asked
  const leaving = former.filter((id) => !next.includes(id))
  const coming = next.filter((id) => !former.includes(id) && id !== asked.caller.userId)
  // Two moves in opposite directions change the bells of both sides.
  await lockNewTicketBells(tx, [...leaving, ...coming])
  await unlinkBells(tx, context, { ticketId: ticket.id, userIds: leaving, requestId })
  if (!isFree || ticket.status === 'closed') return
  const { id, title, opener_id: openerId } = ticket
  await tellNewTicket(tx, context, { ticket: { id, title, openerId }, userIds: coming, requestId })
}

/** Moves a ticket to another category. An assignee who does not work there is none any more; its former staff hear of it once more. */
export const moveTicket = (context: Changing, asked: Asked & { readonly categoryId: string }): Promise<Done> =>
  changed(context, asked, async (tx, { ticket }) => {
    const { categoryId } = asked
    if (ticket.category_id === categoryId) return null
    const category = (await readTicketCategories(tx)).find(({ id }) => id === categoryId)
    if (!category?.active) return invalid('categoryId')
    const [former, next] = [await readTicketStaff(tx, ticket.category_id), await readTicketStaff(tx, categoryId)]
    const assignee = ticket.assignee_id !== null && next.includes(ticket.assignee_id) ? ticket.assignee_id : null
    await tx.query('update control.tickets set category_id = $2, assignee_id = $3 where id = $1', [
      ticket.id,
      categoryId,
      assignee,
    ])
    if (assignee === null)
      await tellFormerAssignee(tx, context, {
        assigneeId: ticket.assignee_id,
        byId: asked.caller.userId,
        text: 'ticket.moved',
        ticket: { id: ticket.id, title: ticket.title, categoryId },
        requestId: asked.requestId,
      })
    await tellMoved(tx, context, { ticket, isFree: assignee === null, staff: { former, next }, asked })
    return { ok: true, event: 'moved', aboutId: categoryId, also: former }
  })

/** Lets somebody else read and write in a ticket. */
export const addTicketPerson = (context: Changing, asked: Asked & { readonly userId: string }): Promise<Done> =>
  changed(context, asked, async (tx, { ticket }) => {
    const { userId } = asked
    if (ticket.added_ids.includes(userId)) return null
    if (userId === ticket.opener_id || !(await isCustomer(tx, userId))) return invalid('userId')
    if (ticket.added_ids.length >= TICKET_BOUNDS.people) return refuse('TICKET_PEOPLE_LIMIT')
    const at = new Date(context.clock.now())
    await tx.query('insert into control.ticket_people (ticket_id, user_id, added_at) values ($1, $2, $3)', [
      ticket.id,
      userId,
      at,
    ])
    const { caller, requestId } = asked
    await tellAdded(tx, context, { ticket, userId, byId: caller.userId, requestId })
    return { ok: true, event: 'person added', aboutId: userId }
  })

/** Ends what `addTicketPerson` began: their bells of the ticket go, and their open pages read it once more. */
export const removeTicketPerson = (context: Changing, asked: Asked & { readonly userId: string }): Promise<Done> =>
  changed(context, asked, async (tx, { ticket }) => {
    const { userId } = asked
    if (!ticket.added_ids.includes(userId)) return null
    await tx.query('delete from control.ticket_people where ticket_id = $1 and user_id = $2', [ticket.id, userId])
    await tx.query('delete from control.ticket_reads where ticket_id = $1 and user_id = $2', [ticket.id, userId])
    await forgetBells(tx, context, { ticketId: ticket.id, userIds: [userId], requestId: asked.requestId })
    return { ok: true, event: 'person removed', aboutId: userId, also: [userId] }
  })

/**
 * Deletes a ticket with everything in it, and with those that were merged into it: for administrators. A merged ticket
 * leaves nothing in the ticket that took it, the line about it neither.
 */
export const deleteTicket = (context: Changing, { caller, ticketId, requestId }: Asked): Promise<Done> =>
  context.db.transaction(async (tx) => {
    const reached = await reachTicket(tx, { caller, ticketId, right: 'delete' })
    if (!reached.ok) return reached
    const { merged_into: target } = reached.ticket
    const gone = await tx.query<{ id: string }>(
      'select id from control.tickets where id in ($1, $2) or merged_into = $1',
      [ticketId, target],
    )
    for (const { id } of gone) await announceTicket(tx, context, { ticketId: id, requestId })
    await tx.query(
      `delete from control.ticket_messages where about_id = $1 and event in ('merged into', 'merged from')
       and ticket_id in (select t.id from control.tickets t where t.id = $2 or t.merged_into = $2)`,
      [ticketId, target],
    )
    await tx.query('delete from control.tickets where id = $1', [ticketId])
    return { ok: true }
  })
