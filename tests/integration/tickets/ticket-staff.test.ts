import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { answerTicket } from '../../../control-plane/tickets/answer-ticket.ts'
import {
  addTicketPerson,
  assignTicket,
  deleteTicket,
  moveTicket,
  removeTicketPerson,
} from '../../../control-plane/tickets/manage-ticket.ts'
import { openTicket } from '../../../control-plane/tickets/open-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { ticketColleagues } from '../../../control-plane/tickets/ticket-desk.ts'
import { ticketQueue } from '../../../control-plane/tickets/ticket-queue.ts'
import { viewTicket } from '../../../control-plane/tickets/view-ticket.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const NOW = Date.UTC(2026, 10, 20, 19, 30)
const requestId = 'req-1'
const [billing, technical] = [systemIds.next(), systemIds.next()]

let database: PlatformDatabase
let nowMs = NOW
beforeAll(async () => {
  database = await platformDatabase()
  for (const [id, name] of [
    [billing, 'Billing'],
    [technical, 'Technical'],
  ])
    await database.owner.query('insert into cms_api.ticket_categories (id, name) values ($1, $2)', [
      id,
      JSON.stringify({ en: name, hu: name, de: name }),
    ])
})
beforeEach(() => {
  nowMs = NOW
})
afterAll(() => database.close())

const context = () => ({ ...testContext(database.db), clock: { now: () => nowMs } })
const person = async (facts: Partial<TicketCaller> = {}): Promise<TicketCaller> => {
  const userId = systemIds.next()
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email) values ($1, $2, 'acdefghj', $2 || '@example.test')`,
    [userId, `p-${userId.slice(-12)}`],
  )
  return { userId, isAdmin: false, isSupport: false, locale: 'en', ...facts }
}
const worker = async (categoryId: string) => {
  const caller = await person({ isSupport: true })
  await database.owner.query('insert into cms_api.ticket_staff values ($1, $2)', [caller.userId, categoryId])
  return caller
}
const opened = async (caller: TicketCaller, categoryId = billing) => {
  const request = { title: 'Help', categoryId, message: 'Please' }
  const result = await openTicket(context(), {
    caller: { ...caller, isVerified: true },
    request,
    key: systemIds.next(),
    requestId,
  })
  if (!result.ok) throw new Error(result.code)
  return result.answer.ticketId
}
const say = (caller: TicketCaller, ticketId: string) =>
  answerTicket(context(), { caller, ticketId, kind: 'message', text: 'Yes', key: systemIds.next(), requestId })
const view = async (caller: TicketCaller, ticketId: string) => {
  const result = await viewTicket(context(), { caller, ticketId })
  return result.ok ? result.view : result
}
const queue = async (caller: TicketCaller, more: Partial<Parameters<typeof ticketQueue>[1]> = {}) => {
  const result = await ticketQueue(database.db, { caller, ...more })
  if (!result.ok) throw new Error(result.code)
  return result.tickets.map(({ id }) => id)
}
const NOT_FOUND = { ok: false, code: 'NOT_FOUND' }

it('shows who waits longest first, of the categories of the reader alone, in pages without a gap', async () => {
  const [staff, other] = [await worker(billing), await worker(technical)]
  const customer = await person()
  const answered = await opened(customer)
  await say(staff, answered)
  nowMs += 1_000
  const first = await opened(customer)
  nowMs += 1_000
  const second = await opened(customer)
  const foreign = await opened(customer, technical)
  expect(await queue(staff)).toEqual([first, second, answered])
  expect([await queue(other), await queue(staff, { categoryId: technical })]).toEqual([[foreign], []])
  const pages: string[] = []
  for (let before: string | undefined; ; before = pages.at(-1)) {
    const page = await queue(staff, { limit: 1, before })
    if (page.length === 0) break
    pages.push(...page)
  }
  expect(pages).toEqual([first, second, answered])
  expect(await queue(staff, { before: foreign })).toEqual([])
  expect(await queue(staff, { status: 'waiting for response' })).toEqual([answered])
  expect(await ticketQueue(database.db, { caller: customer })).toEqual({ ok: false, code: 'FORBIDDEN' })
  expect(await queue(await person({ isSupport: true }))).toEqual([])
})

it('is given to somebody who works on its category, and to nobody', async () => {
  const [staff, colleague, other] = [await worker(billing), await worker(billing), await worker(technical)]
  const id = await opened(await person())
  const assign = (userId: string | null, caller = staff, seen: string | null = null) =>
    assignTicket(context(), { caller, ticketId: id, requestId, userId, seen })
  expect(await assign(other.userId)).toMatchObject({ code: 'VALIDATION', fields: { userId: 'invalid' } })
  expect(await assign(colleague.userId)).toEqual({ ok: true })
  expect([
    await queue(colleague, { assignee: 'me' }),
    (await queue(staff, { assignee: 'nobody' })).includes(id),
  ]).toEqual([[id], false])
  await assign(colleague.userId)
  await assign(null, staff, colleague.userId)
  const { messages } = (await view(staff, id)) as { messages: { event: object | null }[] }
  expect(messages.map(({ event }) => event)).toEqual([
    null,
    { type: 'assigned', about: `p-${colleague.userId.slice(-12)}` },
    { type: 'assigned', about: null },
  ])
  expect(await assign(staff.userId, other)).toEqual(NOT_FOUND)
})

it('of two who take it at once one has it, and the other one learns who; an assignee is replaced only by who saw them', async () => {
  const [one, other, third] = [await worker(billing), await worker(billing), await worker(billing)]
  const id = await opened(await person())
  const assign = (caller: TicketCaller, seen: string | null, userId: string | null = caller.userId) =>
    assignTicket(context(), { caller, ticketId: id, requestId, userId, seen })
  const both = await Promise.all([assign(one, null), assign(other, null)])
  const { ticket } = (await view(one, id)) as { ticket: { admin: { id: string; username: string } } }
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  const first = both[0].ok ? one : other
  expect(ticket.admin.id).toBe(first.userId)
  expect(both.find(({ ok }) => !ok)).toEqual({
    ok: false,
    code: 'TICKET_TAKEN',
    params: { who: ticket.admin.username },
  })
  expect(await assign(third, other.userId === first.userId ? one.userId : other.userId)).toMatchObject({
    code: 'TICKET_TAKEN',
  })
  expect(await assign(third, null, null)).toMatchObject({ code: 'TICKET_TAKEN' })
  expect([await assign(first, null), await assign(third, first.userId)]).toEqual([{ ok: true }, { ok: true }])
  expect(await eventsOf(one, id)).toEqual(['assigned', 'assigned'])
})

it('can be given to those who work on its category, by name, and not to its opener', async () => {
  const [category, admin] = [await newCategory('Small'), await person({ isAdmin: true })]
  await database.owner.query('delete from cms_api.ticket_staff where category_id is null')
  await database.owner.query('insert into cms_api.ticket_staff values ($1, null)', [admin.userId])
  const [staff, opener] = [await worker(category), await worker(category)]
  await worker(billing)
  const id = await opened(opener, category)
  const result = await ticketColleagues(database.db, { caller: staff, ticketId: id })
  const names = result.ok ? result.people : []
  expect(new Set(names.map((each) => each.id))).toEqual(new Set([staff.userId, admin.userId]))
  expect(names.map(({ username }) => username)).toEqual(names.map(({ username }) => username).toSorted())
})

it('the queue narrows to one customer, of the categories of the reader alone', async () => {
  const [staff, customer, other] = [await worker(billing), await person(), await person()]
  const [one, answered] = [await opened(customer), await opened(customer)]
  await opened(customer, technical)
  await opened(other)
  await say(staff, answered)
  expect(await queue(staff, { openerId: customer.userId })).toEqual([one, answered])
})

it('a ticket that is moved leaves its former staff, who are told, and an assignee who does not work there', async () => {
  const [staff, other] = [await worker(billing), await worker(technical)]
  const id = await opened(await person())
  await assignTicket(context(), { caller: staff, ticketId: id, requestId, userId: staff.userId, seen: null })
  await database.owner.query('delete from control.outbox')
  const move = (categoryId: string) => moveTicket(context(), { caller: staff, ticketId: id, requestId, categoryId })
  expect(await move(systemIds.next())).toMatchObject({ code: 'VALIDATION' })
  expect(await move(technical)).toEqual({ ok: true })
  expect([await view(staff, id), await move(billing)]).toEqual([NOT_FOUND, NOT_FOUND])
  expect(await view(other, id)).toMatchObject({ ticket: { admin: null, category: 'Technical' } })
  const [event] = await database.owner.query<{ users: string[] }>(
    `select array(select jsonb_array_elements_text(payload->'userIds')) as users from control.outbox
     where topic = 'browser-event' and payload->'message'->>'event' = 'ticket.update'`,
  )
  expect(event?.users).toEqual(expect.arrayContaining([staff.userId, other.userId]))
})

it('people are added and taken away by staff alone', async () => {
  const [staff, customer, friend] = [await worker(billing), await person(), await person()]
  const id = await opened(customer)
  const add = (userId: string, caller = staff) =>
    addTicketPerson(context(), { caller, ticketId: id, requestId, userId })
  expect(await add(friend.userId, customer)).toEqual({ ok: false, code: 'FORBIDDEN' })
  expect([await add(customer.userId), await add(systemIds.next())]).toMatchObject([
    { code: 'VALIDATION' },
    { code: 'VALIDATION' },
  ])
  expect([await add(friend.userId), await add(friend.userId)]).toEqual([{ ok: true }, { ok: true }])
  expect(await view(friend, id)).toMatchObject({ standing: 'added' })
  const remove = (caller: TicketCaller) =>
    removeTicketPerson(context(), { caller, ticketId: id, requestId, userId: friend.userId })
  expect([await remove(friend), await remove(staff)]).toEqual([{ ok: false, code: 'FORBIDDEN' }, { ok: true }])
  expect(await view(friend, id)).toEqual(NOT_FOUND)
  for (let at = 0; at < 20; at += 1) expect(await add((await person()).userId)).toEqual({ ok: true })
  expect(await add(friend.userId)).toEqual({ ok: false, code: 'TICKET_PEOPLE_LIMIT' })
})

it('is deleted by administrators alone, with everything in it', async () => {
  const [staff, customer, admin] = [await worker(billing), await person(), await person({ isAdmin: true })]
  const id = await opened(customer)
  const remove = (caller: TicketCaller) => deleteTicket(context(), { caller, ticketId: id, requestId })
  expect([await remove(customer), await remove(staff)]).toEqual(
    Array.from({ length: 2 }, () => ({ ok: false, code: 'FORBIDDEN' })),
  )
  expect(await remove(admin)).toEqual({ ok: true })
  expect(await view(customer, id)).toEqual(NOT_FOUND)
  expect(await database.owner.query('select 1 from control.ticket_messages where ticket_id = $1', [id])).toEqual([])
})

const newCategory = async (name: string, active = true): Promise<string> => {
  const id = systemIds.next()
  await database.owner.query('insert into cms_api.ticket_categories (id, name, active) values ($1, $2, $3)', [
    id,
    JSON.stringify({ en: name, hu: name, de: name }),
    active,
  ])
  return id
}
/** The people who were told of the last change. */
const told = async (): Promise<string[]> => {
  const [event] = await database.owner.query<{ users: string[] }>(
    `select array(select jsonb_array_elements_text(payload->'userIds')) as users from control.outbox
     where topic = 'browser-event' order by id desc limit 1`,
  )
  await database.owner.query('delete from control.outbox')
  return event?.users ?? []
}
const eventsOf = async (caller: TicketCaller, id: string) => {
  const { messages } = (await view(caller, id)) as { messages: { event: { type: string } | null }[] }
  return messages.flatMap(({ event }) => event?.type ?? [])
}

it('says since when each customer waits; those who have an answer come last, the newest change first', async () => {
  const [admin, customer] = [await person({ isAdmin: true }), await person()]
  const category = await newCategory('Other')
  const ids: string[] = []
  for (let at = 0; at < 3; at += 1) {
    nowMs += 1_000
    ids.push(await opened(customer, category))
  }
  const [waiting = '', older = '', newer = ''] = ids
  for (const id of [older, newer]) {
    nowMs += 1_000
    await say(admin, id)
  }
  const result = await ticketQueue(database.db, { caller: admin, categoryId: category })
  expect(result.ok && result.tickets.map(({ id, waitingSince }) => [id, waitingSince])).toEqual([
    [waiting, new Date(NOW + 1_000).toISOString()],
    [newer, null],
    [older, null],
  ])
})

it('a ticket that a member of staff opened is in the queue of others alone, also as a place in it', async () => {
  const [staff, colleague] = [await worker(billing), await worker(billing)]
  const own = await opened(staff)
  expect([await queue(staff), await queue(colleague)]).toEqual([
    expect.not.arrayContaining([own]),
    expect.arrayContaining([own]),
  ])
  expect((await queue(colleague, { before: own })).length).toBeGreaterThan(0)
  expect(await queue(staff, { before: own })).toEqual([])
  const assigned = assignTicket(context(), {
    caller: colleague,
    ticketId: own,
    requestId,
    userId: staff.userId,
    seen: null,
  })
  expect(await assigned).toMatchObject({ code: 'VALIDATION', fields: { userId: 'invalid' } })
})

it('is moved to active categories alone; an assignee who works there keeps it, and the same category changes nothing', async () => {
  const [admin, former] = [await person({ isAdmin: true }), await newCategory('Former', false)]
  await database.owner.query('insert into cms_api.ticket_staff values ($1, null)', [admin.userId])
  const id = await opened(await person())
  await assignTicket(context(), { caller: admin, ticketId: id, requestId, userId: admin.userId, seen: null })
  const move = (categoryId: string) => moveTicket(context(), { caller: admin, ticketId: id, requestId, categoryId })
  expect(await move(former)).toMatchObject({ code: 'VALIDATION', fields: { categoryId: 'invalid' } })
  expect([await move(billing), await move(technical)]).toEqual([{ ok: true }, { ok: true }])
  expect(await view(admin, id)).toMatchObject({ ticket: { admin: { id: admin.userId }, categoryId: technical } })
  expect(await eventsOf(admin, id)).toEqual(['assigned', 'moved'])
})

it('a removed person hears of it once more, and no mark of their reading stays; erased accounts are not added', async () => {
  const [staff, customer, friend] = [await worker(billing), await person(), await person()]
  const id = await opened(customer)
  const asked = { caller: staff, ticketId: id, requestId, userId: friend.userId }
  expect(await removeTicketPerson(context(), asked)).toEqual({ ok: true })
  expect(await eventsOf(staff, id)).toEqual([])
  await addTicketPerson(context(), asked)
  expect(await told()).toEqual(expect.arrayContaining([customer.userId, friend.userId]))
  await say(friend, id)
  expect(await view(friend, id)).toMatchObject({ ticket: { unread: false } })
  await told()
  await removeTicketPerson(context(), asked)
  expect(await told()).toEqual(expect.arrayContaining([customer.userId, friend.userId]))
  const marks = 'select 1 from control.ticket_reads where ticket_id = $1 and user_id = $2'
  expect(await database.owner.query(marks, [id, friend.userId])).toEqual([])
  const erased = await person()
  await database.owner.query('insert into cms_api.erased_people values ($1)', [erased.userId])
  expect(await addTicketPerson(context(), { ...asked, userId: erased.userId })).toMatchObject({ code: 'VALIDATION' })
})

it('everybody who saw a ticket hears that it was deleted', async () => {
  const [staff, customer, admin] = [await worker(billing), await person(), await person({ isAdmin: true })]
  const id = await opened(customer)
  await told()
  expect(await deleteTicket(context(), { caller: admin, ticketId: id, requestId })).toEqual({ ok: true })
  expect(await told()).toEqual(expect.arrayContaining([customer.userId, staff.userId]))
})
