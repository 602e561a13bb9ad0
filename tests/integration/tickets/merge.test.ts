import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { sweep } from '../../../control-plane/people/sweep.ts'
import { closeOrReopen, rateTicket, readTicketUpTo } from '../../../control-plane/tickets/change-ticket.ts'
import {
  addTicketPerson,
  assignTicket,
  deleteTicket,
  moveTicket,
  removeTicketPerson,
} from '../../../control-plane/tickets/manage-ticket.ts'
import { mergeTicket } from '../../../control-plane/tickets/merge-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { listTickets } from '../../../control-plane/tickets/read-tickets.ts'
import { keepAttachment, readAttachment } from '../../../control-plane/tickets/ticket-attachments.ts'
import { ticketQueue } from '../../../control-plane/tickets/ticket-queue.ts'
import { viewTicket } from '../../../control-plane/tickets/view-ticket.ts'
import { TicketDesk } from '../../factories/ticket-desk.ts'

const requestId = 'req-1'
const DAY_MS = 86_400_000

let desk: TicketDesk
let staff: TicketCaller
let customer: TicketCaller
/** The ticket that is merged, and the one that takes it. */
let source: string
let target: string
beforeAll(async () => {
  desk = await TicketDesk.open()
  staff = await desk.worker()
})
beforeEach(async () => {
  customer = await desk.person()
  source = await desk.opened(customer, { title: 'Lag', message: 'It lags' })
  target = await desk.opened(customer, { title: 'Slow', message: 'It is slow' })
})
afterAll(() => desk.close())

const db = () => desk.database.db
const merge = (ids: Partial<Parameters<typeof mergeTicket>[1]> = {}) =>
  mergeTicket(desk.context(), {
    caller: staff,
    ticketId: source,
    intoId: target,
    key: systemIds.next(),
    requestId,
    ...ids,
  })
const merged = async (ids: Parameters<typeof merge>[0] = {}) => {
  const result = await merge(ids)
  if (!result.ok) throw new Error(result.code)
}
const view = async (caller: TicketCaller, ticketId: string, page: { limit?: number; before?: string } = {}) => {
  const result = await viewTicket(desk.context(), { caller, ticketId, ...page })
  if (!result.ok) throw new Error(result.code)
  return result.view
}
const code = async (work: Promise<{ ok: boolean }>) => {
  const result = await work
  return 'code' in result ? result.code : result.ok
}
const numberOf = async (id: string) => (await view(staff, id)).ticket.identifier
const said = async (caller: TicketCaller, ticketId: string, page?: { limit?: number; before?: string }) =>
  (await view(caller, ticketId, page)).messages.map(({ message, event, origin }) => [
    event === null ? message : `${event.type} ${event.about ?? ''}`,
    origin,
  ])
const asked = (ticketId = source) => ({ caller: staff, ticketId, requestId })
const add = (ticketId: string, userId: string) => addTicketPerson(desk.context(), { ...asked(ticketId), userId })
const told = async () =>
  (
    await desk.database.owner.query<{
      payload: { userIds: string[]; message: { event: string; data: { id: string } } }
    }>(`delete from control.outbox where topic = 'browser-event' returning payload`)
  ).map(({ payload }) => payload)

it('the lines of both are read as one, in the order in which they were written, each with where it came from', async () => {
  await desk.say(staff, source, { text: 'Which server?' })
  await desk.say(staff, target, { text: 'Since when?' })
  await desk.say(staff, source, { kind: 'note', text: 'SECRET' })
  await desk.say(customer, source, { text: 'The blue one' })
  await merged()
  const [from, into] = [await numberOf(source), await numberOf(target)]
  const all = [
    ['It lags', from],
    ['It is slow', undefined],
    ['Which server?', from],
    ['Since when?', undefined],
    ['The blue one', from],
    [`merged from ${from}`, undefined],
  ]
  expect(await said(customer, target)).toEqual(all)
  expect(await said(staff, target)).toEqual(all.toSpliced(4, 0, ['SECRET', from]))
  // Pages end at lines of either ticket.
  const newest = await view(customer, target, { limit: 2 })
  expect(newest.hasEarlier).toBe(true)
  const page = { limit: 10, before: newest.messages[0]?.id ?? '' }
  expect(await said(customer, target, page)).toEqual(all.slice(0, 4))
  expect((await said(customer, source)).map(([line]) => line)).toEqual([
    'It lags',
    'Which server?',
    'The blue one',
    `merged into ${into}`,
  ])
  const shown = await view(customer, source)
  expect([shown.ticket.mergedInto, shown.ticket.status, shown.canReopen, shown.ticket.unread]).toEqual([
    { id: target, identifier: into },
    'closed',
    false,
    false,
  ])
})

it('nothing is done with a merged ticket, and each refusal names where it goes on', async () => {
  await merged()
  const number = await numberOf(target)
  const context = desk.context()
  const own = { caller: customer, ticketId: source, requestId }
  const refusals = await Promise.all([
    desk.say(customer, source),
    desk.say(staff, source),
    desk.say(staff, source, { kind: 'note' }),
    closeOrReopen(context, { ...own, act: 'reopen' }),
    closeOrReopen(context, { ...asked(), act: 'reopen' }),
    closeOrReopen(context, { ...asked(), act: 'close' }),
    rateTicket(context, { ...own, rating: 'bad' }),
    assignTicket(context, { ...asked(), userId: staff.userId, seen: null }),
    moveTicket(context, { ...asked(), categoryId: await desk.category() }),
    add(source, (await desk.person()).userId),
    removeTicketPerson(context, { ...asked(), userId: systemIds.next() }),
    merge(),
    merge({ ticketId: target, intoId: source }),
  ])
  expect(refusals).toEqual(refusals.map(() => ({ ok: false, code: 'TICKET_MERGED', params: { number } })))
  expect(await readTicketUpTo(context, { ...own, upTo: systemIds.next() })).toEqual({ ok: true })
})

it('only staff who work on both merge two different tickets of one customer', async () => {
  const [stranger, elsewhere] = [await desk.person(), await desk.category()]
  const friend = await desk.person()
  await add(source, friend.userId)
  await add(target, friend.userId)
  const hidden = await desk.opened(customer, { categoryId: elsewhere })
  const invalid = { ok: false, code: 'VALIDATION', fields: { intoId: 'invalid' } }
  expect(await merge({ caller: customer })).toMatchObject({ code: 'FORBIDDEN' })
  expect(await merge({ caller: friend })).toMatchObject({ code: 'FORBIDDEN' })
  expect(await merge({ caller: stranger })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await merge({ caller: stranger, ticketId: target, intoId: source })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await merge({ ticketId: hidden })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await merge({ intoId: hidden })).toEqual(invalid)
  expect(await merge({ intoId: systemIds.next() })).toEqual(invalid)
  expect(await merge({ intoId: source })).toEqual(invalid)
  expect(await merge({ intoId: source.toUpperCase() })).toEqual(invalid)
  const other = await desk.opened(await desk.person())
  expect(await merge({ intoId: other })).toMatchObject({ code: 'TICKET_OTHER_OPENER' })
  // Staff are the customers of tickets that they opened.
  const [one, two] = [await desk.opened(staff), await desk.opened(staff)]
  expect(await merge({ ticketId: one, intoId: two })).toMatchObject({ code: 'FORBIDDEN' })
  expect(await merge({ intoId: two })).toEqual(invalid)
  expect((await view(staff, source)).ticket.status).toBe('open')
})

it('a target that was closed for 30 days is refused, and one that was closed since is open again', async () => {
  await closeOrReopen(desk.context(), { ...asked(target), act: 'close' })
  desk.nowMs += 30 * DAY_MS
  expect(await merge()).toMatchObject({ code: 'TICKET_CLOSED_LONG' })
  desk.nowMs -= DAY_MS
  await merged()
  expect((await view(customer, target)).ticket.status).toBe('open')
})

it('is done once for each key, and another ticket with the key is refused', async () => {
  const key = systemIds.next()
  await merged({ key })
  expect(await merge({ key })).toMatchObject({ ok: true, replayed: true })
  expect(await merge({ key, intoId: systemIds.next() })).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
  const events = 'select event from control.ticket_messages where ticket_id in ($1, $2) and event is not null'
  expect(await db().query(events, [source, target])).toHaveLength(2)
})

it('two members of staff who merge both ways at the same time: one succeeds, the other reads the number of the target', async () => {
  const other = await desk.worker()
  const both = await Promise.all([merge(), merge({ caller: other, ticketId: target, intoId: source })])
  const won = both[0].ok ? target : source
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  expect(both.find(({ ok }) => !ok)).toEqual({
    ok: false,
    code: 'TICKET_MERGED',
    params: { number: await numberOf(won) },
  })
  const rows = await db().query<{ id: string }>(
    'select id from control.tickets where id in ($1, $2) and merged_into is null',
    [source, target],
  )
  expect(rows).toEqual([{ id: won }])
})

it('a merge takes earlier merged tickets along, so that each of them names the last target', async () => {
  const last = await desk.opened(customer, { message: 'Third' })
  await merged()
  await merged({ ticketId: target, intoId: last })
  const into = await numberOf(last)
  expect((await view(customer, source)).ticket.mergedInto).toEqual({ id: last, identifier: into })
  const lines = await said(customer, last)
  expect(lines.map(([line]) => line)).toEqual([
    'It lags',
    'It is slow',
    'Third',
    `merged from ${await numberOf(source)}`,
    `merged from ${await numberOf(target)}`,
  ])
})

it('the people of both read both through the target, also those who come later, and nobody else does', async () => {
  const [first, second, later] = [await desk.person(), await desk.person(), await desk.person()]
  await add(source, first.userId)
  await add(target, second.userId)
  await merged()
  await add(target, later.userId)
  for (const each of [first, second, later]) {
    expect((await said(each, target)).map(([line]) => line)).toContain('It lags')
    expect((await view(each, source)).ticket.mergedInto?.id).toBe(target)
    const ids = (await listTickets(db(), { caller: each })).map(({ id }) => id)
    expect(ids.toSorted()).toEqual([source, target].toSorted())
  }
  await removeTicketPerson(desk.context(), { ...asked(target), userId: first.userId })
  for (const ticketId of [source, target])
    expect(await code(viewTicket(desk.context(), { caller: first, ticketId }))).toBe('NOT_FOUND')
  expect(await listTickets(db(), { caller: first })).toEqual([])
})

it('more people than a ticket takes are refused, and nothing has changed', async () => {
  const people = (ticketId: string, count: number) =>
    db().query(`insert into control.ticket_people select $1, gen_random_uuid(), now() from generate_series(1, $2)`, [
      ticketId,
      count,
    ])
  await people(source, 11)
  await people(target, 10)
  expect(await merge()).toMatchObject({ code: 'TICKET_PEOPLE_LIMIT' })
  expect((await view(staff, source)).ticket).toMatchObject({ status: 'open' })
})

it('a merged ticket is seen by whoever sees the target, when that is moved too', async () => {
  const elsewhere = await desk.category()
  const other = await desk.worker(elsewhere)
  await merged()
  await moveTicket(desk.context(), { ...asked(target), categoryId: elsewhere })
  const queued = async (caller: TicketCaller) => {
    const result = await ticketQueue(db(), { caller, openerId: customer.userId })
    return result.ok ? result.tickets.map(({ id }) => id).toSorted() : []
  }
  expect(await code(viewTicket(desk.context(), { caller: staff, ticketId: source }))).toBe('NOT_FOUND')
  expect((await view(other, source)).ticket.mergedInto?.id).toBe(target)
  expect([await queued(staff), await queued(other)]).toEqual([[], [source, target].toSorted()])
})

it('the files of a merged ticket are downloaded through the target by whoever sees it, and others are not', async () => {
  const keep = async (caller: TicketCaller, ticketId: string, kind: 'message' | 'note' = 'message') => {
    const bytes = new TextEncoder().encode('a log')
    const key = systemIds.next()
    const file = await keepAttachment(desk.context(), { userId: caller.userId, name: 'latest.log', bytes, key })
    if (!file.ok) throw new Error(file.code)
    await desk.say(caller, ticketId, { kind, attachmentIds: [file.answer.id] })
    return file.answer.id
  }
  const stranger = await desk.person()
  const foreign = await desk.opened(stranger)
  const [own, note, strange] = [
    await keep(customer, source),
    await keep(staff, source, 'note'),
    await keep(stranger, foreign),
  ]
  const read = (caller: TicketCaller, ticketId: string, attachmentId: string) =>
    code(readAttachment(desk.context(), { caller, ticketId, attachmentId }))
  expect(await read(customer, target, own)).toBe('NOT_FOUND')
  await merged()
  expect([
    await read(customer, target, own),
    await read(customer, source, own),
    await read(staff, target, note),
  ]).toEqual([true, true, true])
  const listed = async (caller: TicketCaller) => (await view(caller, target)).ticket.attachments?.map(({ id }) => id)
  expect([await listed(customer), await listed(staff)]).toEqual([[own], [own, note]])
  expect([
    await read(customer, target, note),
    await read(customer, target, strange),
    await read(stranger, target, own),
    await read(stranger, foreign, own),
  ]).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
})

it('nothing counts a merged ticket as open, unanswered or unread, and its words find the target', async () => {
  await desk.say(staff, target, { text: 'Since when?' })
  await desk.say(customer, source, { text: 'The zebra lags' })
  const waits = (await queueOf({ openerId: customer.userId })).find(({ id }) => id === source)?.waitingSince
  await merged()
  const tickets = await queueOf({ openerId: customer.userId })
  expect(tickets.map(({ id, status, waitingSince, unread }) => ({ id, status, waitingSince, unread }))).toEqual([
    { id: target, status: 'open', waitingSince: waits, unread: true },
    { id: source, status: 'closed', waitingSince: null, unread: false },
  ])
  expect(tickets[0]?.lastMessage.message).toBe('The zebra lags')
  expect((await queueOf({ text: 'zebra', status: 'open' })).map(({ id }) => id)).toEqual([target])
  const own = (more: object) => listTickets(db(), { caller: customer, status: 'open', ...more })
  expect((await own({ text: 'zebra' })).map(({ id }) => id)).toEqual([target])
  expect((await own({ find: 'zebra' })).map(({ id }) => id)).toEqual([target])
})
const queueOf = async (more: Partial<Parameters<typeof ticketQueue>[1]>) => {
  const result = await ticketQueue(db(), { caller: staff, ...more })
  if (!result.ok) throw new Error(result.code)
  return result.tickets
}

it('its customers hear of it once by the bell, and whoever looks at either ticket by the gateway', async () => {
  const [friend, elsewhere] = [await desk.person(), await desk.category()]
  await add(source, friend.userId)
  await add(target, friend.userId)
  const former = await desk.worker(elsewhere)
  const admin = await desk.person({ isAdmin: true })
  await moveTicket(desk.context(), { ...asked(), categoryId: elsewhere })
  await told()
  await merged({ caller: admin })
  const sent = await told()
  const updates = (id: string) =>
    sent.find(({ message: { event, data } }) => event === 'ticket.update' && data.id === id)
  const readers = [customer.userId, friend.userId, staff.userId]
  expect(updates(source)?.userIds).toEqual(expect.arrayContaining([...readers, former.userId]))
  expect(updates(target)?.userIds).toEqual(expect.arrayContaining(readers))
  const bells = await db().query<{ user_id: string; text: string; data: object }>(
    `select user_id, text, data from control.notifications where user_id in ($1, $2) and text <> 'ticket.added' order by user_id = $1`,
    [customer.userId, friend.userId],
  )
  const data = { ticketId: target, title: 'Slow', merged: 'Lag' }
  expect(bells).toEqual([friend, customer].map(({ userId }) => ({ user_id: userId, text: 'ticket.merged', data })))
})

it('goes with its target, by hand and by age, and not before; of one that is deleted itself no line is left', async () => {
  const admin = await desk.person({ isAdmin: true })
  const third = await desk.opened(customer, { message: 'Third' })
  await merged()
  await merged({ ticketId: third })
  await deleteTicket(desk.context(), { ...asked(third), caller: admin })
  expect((await said(customer, target)).map(([line]) => line)).toEqual([
    'It lags',
    'It is slow',
    `merged from ${await numberOf(source)}`,
  ])
  const left = async () =>
    (await db().query<{ id: string }>('select id from control.tickets where opener_id = $1', [customer.userId])).length
  desk.nowMs += 6 * 366 * DAY_MS
  await sweep(desk.context())
  expect(await left()).toBe(2)
  await deleteTicket(desk.context(), { ...asked(target), caller: admin })
  expect(await left()).toBe(0)
})
