import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'
import { afterMerge, mergedPeople } from '#domain/tickets/merge.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readTicketStaff } from '../cms/cms-reader.ts'
import { notifyUser } from '../messages/notices/notify-user.ts'
import type { Context } from '../platform/context.ts'
import { oncePerKey } from '../platform/once-per-key.ts'
import { announceTicket } from './announce-ticket.ts'
import { reachTicket, refuse, type ReachedTicket, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { deskTicket } from './ticket-desk.ts'
import { tellFormerAssignee } from './tell-assignee.ts'
import { unlinkBells } from './tell-people.ts'
import { insertMessage, progressOf, saveProgress, type TicketRow } from './ticket-store.ts'

type Asked = {
  readonly caller: TicketCaller
  /** The ticket that is closed. */
  readonly ticketId: string
  /** The ticket in which it goes on. */
  readonly intoId: string
  readonly key: string
  readonly requestId: string
}
type Both = { readonly source: TicketRow; readonly target: TicketRow }

const NO_TARGET: TicketRefusal = { ...refuse('VALIDATION'), fields: { intoId: 'invalid' } }

/** A target that its reader does not work on is none: whether it exists is not said. */
const asTarget = (reached: ReachedTicket | TicketRefusal): ReachedTicket | TicketRefusal =>
  reached.ok || reached.code === 'TICKET_MERGED' ? reached : NO_TARGET

/**
 * Both tickets, locked in the order of their ids, for staff who work on both. Two people who merge them into each other at the same time wait
 * for the same first lock, behind which the second one reads that it is merged.
 */
async function reachBoth(
  tx: Sql,
  { caller, ticketId, intoId }: Asked,
): Promise<({ readonly ok: true } & Both) | TicketRefusal> {
  const seen = await deskTicket(tx, { caller, ticketId })
  if (!seen.ok) return seen
  if (ticketId === intoId) return NO_TARGET
  const reach = async (id: string) => {
    const reached = await reachTicket(tx, { caller, ticketId: id, right: 'manage' })
    return id === intoId ? asTarget(reached) : reached
  }
  const [first, second] = ticketId < intoId ? [ticketId, intoId] : [intoId, ticketId]
  const one = await reach(first)
  if (!one.ok) return one
  const other = await reach(second)
  if (!other.ok) return other
  const [source, target] = first === ticketId ? [one, other] : [other, one]
  return { ok: true, source: source.ticket, target: target.ticket }
}

/** The tickets that were merged into the source before follow it, so that there are no chains. */
async function join(tx: Sql, { source, target }: Both, atMs: number): Promise<void> {
  await tx.query('update control.tickets set merged_into = $2 where id = $1 or merged_into = $1', [
    source.id,
    target.id,
  ])
  // The rows themselves move: an erasure that waits for one still finds it.
  await tx.query(
    `delete from control.ticket_people where ticket_id = $1
       and user_id in (select o.user_id from control.ticket_people o where o.ticket_id = $2)`,
    [source.id, target.id],
  )
  await tx.query('update control.ticket_people set ticket_id = $2, added_at = $3 where ticket_id = $1', [
    source.id,
    target.id,
    new Date(atMs),
  ])
}

/** Writes the merge into both tickets, and tells everybody who sees either: pages that are open, and once the bells of its customers. */
async function tellMerge(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { caller, requestId, people, ...both }: Pick<Asked, 'caller' | 'requestId'> & Both & { people: readonly string[] },
): Promise<void> {
  const { source, target } = both
  const line = { authorId: caller.userId, byStaff: true, kind: 'event' } as const
  await insertMessage(tx, context, { ...line, ticketId: source.id, event: 'merged into', aboutId: target.id })
  await insertMessage(tx, context, { ...line, ticketId: target.id, event: 'merged from', aboutId: source.id })
  const former = await readTicketStaff(tx, source.category_id)
  await announceTicket(tx, context, { ticketId: source.id, requestId, also: former })
  await announceTicket(tx, context, { ticketId: target.id, requestId })
  const data = { ticketId: target.id, title: target.title, merged: source.title }
  for (const userId of [target.opener_id, ...people])
    if (userId !== caller.userId) await notifyUser(tx, context, { userId, text: 'ticket.merged', data, requestId })
  // The assignee of the target as well loses nothing.
  if (source.assignee_id !== target.assignee_id)
    await tellFormerAssignee(tx, context, {
      assigneeId: source.assignee_id,
      byId: caller.userId,
      text: 'ticket.merged-away',
      ticket: { id: target.id, title: target.title, categoryId: target.category_id },
      merged: source.title,
      requestId,
    })
}

/** Before they join: tickets that were merged into the source are found by it. */
async function unlinkMerged(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { source, target, requestId }: Pick<Asked, 'requestId'> & Both,
): Promise<void> {
  const [former, next] = [await readTicketStaff(tx, source.category_id), await readTicketStaff(tx, target.category_id)]
  const userIds = former.filter((id) => !next.includes(id))
  await unlinkBells(tx, context, { ticketId: source.id, userIds, requestId })
}

async function merge(
  tx: Sql,
  context: Pick<Context, 'clock' | 'ids'>,
  asked: Asked,
): Promise<{ readonly ok: true; readonly answer: object } | TicketRefusal> {
  const both = await reachBoth(tx, asked)
  if (!both.ok) return both
  const { source, target } = both
  if (source.opener_id !== target.opener_id) return refuse('TICKET_OTHER_OPENER')
  const nowMs = context.clock.now()
  const after = afterMerge({ source: progressOf(source), target: progressOf(target) }, nowMs)
  if (!after.ok) return refuse(after.code)
  const people = mergedPeople(source.added_ids, target.added_ids)
  if (people.length > TICKET_BOUNDS.people) return refuse('TICKET_PEOPLE_LIMIT')
  await saveProgress(tx, source.id, after.source)
  await saveProgress(tx, target.id, after.target)
  await unlinkMerged(tx, context, { ...asked, source, target })
  await join(tx, both, nowMs)
  await tellMerge(tx, context, { ...asked, source, target, people })
  return { ok: true, answer: {} }
}

/**
 * Merges a ticket into another one of the same customer, once for each key: it is closed for ever, its lines are read in the other one, and its
 * people see that (decision 95). VALIDATION for a target that the caller does not work on, and for the ticket itself.
 */
export const mergeTicket = (context: Pick<Context, 'db' | 'clock' | 'ids'>, asked: Asked) => {
  const { caller, key } = asked
  // PostgreSQL orders and compares ids without regard to case.
  const [ticketId, intoId] = [asked.ticketId.toLowerCase(), asked.intoId.toLowerCase()]
  const body = { ticketId, intoId }
  const request = { scope: 'merge-ticket', userId: caller.userId, key, body, atMs: context.clock.now() }
  return context.db.transaction((tx) =>
    oncePerKey<object, TicketRefusal>(tx, request, () => merge(tx, context, { ...asked, ticketId, intoId })),
  )
}
