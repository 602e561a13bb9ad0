import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { TicketView } from '#contracts/http/ticket.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import { closeOrReopen, rateTicket, readTicketUpTo } from '../../../control-plane/tickets/change-ticket.ts'
import { answerTicket } from '../../../control-plane/tickets/answer-ticket.ts'
import { openTicket } from '../../../control-plane/tickets/open-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { listTickets } from '../../../control-plane/tickets/read-tickets.ts'
import { listTicketCategories } from '../../../control-plane/tickets/ticket-categories.ts'
import { viewTicket } from '../../../control-plane/tickets/view-ticket.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 20, 19, 30)
const categoryId = systemIds.next()
const requestId = 'req-1'

let database: PlatformDatabase
let nowMs = NOW
beforeAll(async () => {
  database = await platformDatabase()
  await database.owner.query(
    `insert into cms_api.ticket_categories (id, name) values ($1, '{"en": "Billing", "hu": "Számlázás", "de": "Rechnung"}')`,
    [categoryId],
  )
})
beforeEach(() => {
  nowMs = NOW
})
afterAll(() => database.close())

const context = () => ({ ...testContext(database.db), clock: { now: () => nowMs } })
const person = (facts: Partial<TicketCaller> = {}): TicketCaller => ({
  userId: systemIds.next(),
  isAdmin: false,
  isSupport: false,
  locale: 'hu',
  ...facts,
})
const worker = async (category: string | null = categoryId): Promise<TicketCaller> => {
  const caller = person({ isSupport: true })
  await database.owner.query('insert into cms_api.ticket_staff values ($1, $2)', [caller.userId, category])
  return caller
}
const OPENING = { title: 'It does not start', categoryId, message: '**Help** <b>me</b>' }
const opens = (
  caller: TicketCaller,
  request: Partial<typeof OPENING> & { followsId?: string } = {},
  isVerified = true,
) =>
  openTicket(context(), {
    caller: { ...caller, isVerified },
    request: { ...OPENING, ...request },
    key: systemIds.next(),
    requestId,
  })
const opened = async (caller: TicketCaller, request: Parameters<typeof opens>[1] = {}) => {
  const result = await opens(caller, request)
  if (!result.ok) throw new Error(result.code)
  return result.answer.ticketId
}
const say = (caller: TicketCaller, ticketId: string, text = 'More', kind: 'message' | 'note' = 'message') =>
  answerTicket(context(), { caller, ticketId, kind, text, key: systemIds.next(), requestId })
const act = (caller: TicketCaller, ticketId: string, what: 'close' | 'reopen') =>
  closeOrReopen(context(), { caller, ticketId, requestId, act: what })
const seen = async (caller: TicketCaller, ticketId: string, page: { limit?: number; before?: string } = {}) => {
  const result = await viewTicket(context(), { caller, ticketId, ...page })
  if (!result.ok) throw new Error(result.code)
  return TicketView.parse(result.view)
}
const texts = async (caller: TicketCaller, ticketId: string) =>
  (await seen(caller, ticketId)).messages.map(({ message, event }) => event?.type ?? message)
/** The people who were told of a ticket since the outbox was emptied last. */
const told = async (ticketId: string) => {
  const rows = await database.owner.query<{ users: string[] }>(
    `delete from control.outbox where topic = 'browser-event' and payload->'message'->'data'->>'id' = $1
     returning array(select jsonb_array_elements_text(payload->'userIds')) as users`,
    [ticketId],
  )
  return rows.map(({ users }) => users)
}
const switchTickets = (on: boolean) => database.owner.query('update cms_api.settings set tickets = $1', [on])

it('is opened with its message as it was written, and listed in the reader’s language', async () => {
  const customer = person()
  const id = await opened(customer)
  const [ticket] = await listTickets(database.db, { caller: customer })
  expect(ticket).toMatchObject({
    id,
    title: OPENING.title,
    category: 'Számlázás',
    status: 'open',
    unread: false,
    admin: null,
    lastMessage: { message: 'Help <b>me</b>', createdAt: new Date(NOW).toISOString() },
  })
  expect(ticket?.identifier).toMatch(/^[acdefghjkmnpqrtuvwxy34679]{8}$/)
  expect(await listTickets(database.db, { caller: person() })).toEqual([])
})

it('a repeated attempt makes no second ticket and no second message, also at the same time', async () => {
  const customer = person()
  const key = systemIds.next()
  const attempt = (title = OPENING.title) =>
    openTicket(context(), { caller: { ...customer, isVerified: true }, request: { ...OPENING, title }, key, requestId })
  const results = await Promise.all([attempt(), attempt(), attempt()])
  const made = results.flatMap((result) => (result.ok ? [result.answer.ticketId] : []))
  expect(new Set(made).size).toBe(1)
  expect(await attempt()).toMatchObject({ ok: true, replayed: true, answer: { ticketId: made[0] } })
  expect(await attempt('Another')).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
  expect(await listTickets(database.db, { caller: customer })).toHaveLength(1)
  const ticketId = made[0] ?? ''
  const reply = () =>
    answerTicket(context(), { caller: customer, ticketId, kind: 'message', text: 'Once', key: 'once-key', requestId })
  await Promise.all([reply(), reply()])
  await reply()
  expect(await texts(customer, ticketId)).toEqual([OPENING.message, 'Once'])
})

it('an attempt that dies before its key is stored has opened and written nothing, and comes through once when it is repeated', async () => {
  const customer = person()
  const { db } = context()
  const dying: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query: (text, values) =>
            text.includes('insert into control.idempotency_keys')
              ? Promise.reject(new Error('killed'))
              : tx.query(text, values),
        }),
      ),
  }
  const opening = { caller: { ...customer, isVerified: true }, request: OPENING, key: systemIds.next(), requestId }
  await expect(openTicket({ ...context(), db: dying }, opening)).rejects.toThrow('killed')
  expect(await listTickets(database.db, { caller: customer })).toEqual([])
  const made = await openTicket(context(), opening)
  const ticketId = made.ok ? made.answer.ticketId : ''
  const said = { caller: customer, ticketId, kind: 'message' as const, text: 'Once', key: systemIds.next(), requestId }
  await expect(answerTicket({ ...context(), db: dying }, said)).rejects.toThrow('killed')
  expect(await texts(customer, ticketId)).toEqual([OPENING.message])
  await answerTicket(context(), said)
  await answerTicket(context(), said)
  expect(await texts(customer, ticketId)).toEqual([OPENING.message, 'Once'])
})

it('goes between customer and staff by who writes last', async () => {
  const [customer, staff] = [person(), await worker()]
  const id = await opened(customer)
  nowMs += 60_000
  await say(staff, id, 'Try again')
  const view = await seen(customer, id)
  expect([view.ticket.status, view.ticket.unread, view.standing]).toEqual(['waiting for response', true, 'opener'])
  expect(view.messages.at(-1)?.author).toMatchObject({ id: staff.userId, isStaff: true })
  await say(customer, id, 'Still not')
  expect((await seen(staff, id)).ticket).toMatchObject({ status: 'open', unread: true })
})

it('is seen by its people and by staff of its category alone', async () => {
  const customer = person()
  const id = await opened(customer)
  const added = person()
  await database.owner.query('insert into control.ticket_people values ($1, $2, now())', [id, added.userId])
  const other = await worker(systemIds.next())
  for (const stranger of [person(), other, person({ isSupport: true })]) {
    expect(await viewTicket(context(), { caller: stranger, ticketId: id })).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect([await say(stranger, id), await act(stranger, id, 'close')]).toEqual(
      Array.from({ length: 2 }, () => ({ ok: false, code: 'NOT_FOUND' })),
    )
  }
  expect(await listTickets(database.db, { caller: added })).toHaveLength(1)
  expect([(await seen(added, id)).standing, (await seen(person({ isAdmin: true }), id)).standing]).toEqual([
    'added',
    'staff',
  ])
  expect([(await say(added, id)).ok, await act(added, id, 'close')]).toEqual([true, { ok: false, code: 'FORBIDDEN' }])
  // A role that was taken away still stands in the view of a moment ago.
  const former = { ...(await worker()), isSupport: false }
  expect(await viewTicket(context(), { caller: former, ticketId: id })).toEqual({ ok: false, code: 'NOT_FOUND' })
})

it('a note is for staff: no customer reads it, is told of it, or sees the ticket move', async () => {
  const [customer, staff] = [person(), await worker()]
  const id = await opened(customer)
  const added = person()
  await database.owner.query('insert into control.ticket_people values ($1, $2, now())', [id, added.userId])
  // It stands first in the list, and stays there.
  await opened(customer)
  const shown = async () => [await seen(customer, id), await listTickets(database.db, { caller: customer })]
  const before = await shown()
  await told(id)
  nowMs += 1_000
  expect(await say(staff, id, 'canary-note', 'note')).toMatchObject({ ok: true })
  expect(await shown()).toEqual(before)
  expect(await texts(staff, id)).toEqual([OPENING.message, 'canary-note'])
  const readers = (await told(id)).flat()
  expect(readers).toContain(staff.userId)
  expect(readers.some((reader) => [customer.userId, added.userId].includes(reader))).toBe(false)
  expect(await say(customer, id, 'mine', 'note')).toEqual({ ok: false, code: 'FORBIDDEN' })
  // The one who opened a ticket is its customer, whatever else they are.
  const own = await opened(staff)
  await say(person({ isAdmin: true }), own, 'canary-note', 'note')
  expect(await texts(staff, own)).toEqual([OPENING.message])
  expect((await told(own)).at(-1)).not.toContain(staff.userId)
})

it('everybody who sees it is told of each change, and nobody else', async () => {
  const [customer, staff, other] = [person(), await worker(), await worker(systemIds.next())]
  const id = await opened(customer)
  await say(staff, id)
  await act(customer, id, 'close')
  const events = await told(id)
  expect(events).toHaveLength(3)
  for (const readers of events) {
    expect(readers).toEqual(expect.arrayContaining([customer.userId, staff.userId]))
    expect(readers).not.toContain(other.userId)
  }
})

it('is closed and reopened, for thirty days; then a new one goes on with it', async () => {
  const customer = person()
  const id = await opened(customer)
  expect(await act(customer, id, 'close')).toEqual({ ok: true })
  expect(await say(customer, id)).toEqual({ ok: false, code: 'TICKET_CLOSED' })
  nowMs += 30 * DAY_MS - 1
  expect((await seen(customer, id)).canReopen).toBe(true)
  expect(await act(customer, id, 'reopen')).toEqual({ ok: true })
  expect(await texts(customer, id)).toEqual([OPENING.message, 'closed', 'reopened'])
  await act(customer, id, 'close')
  nowMs += 30 * DAY_MS
  expect(await act(customer, id, 'reopen')).toEqual({ ok: false, code: 'TICKET_TOO_OLD' })
  expect(await say(customer, id)).toEqual({ ok: false, code: 'TICKET_TOO_OLD' })
  const next = await opened(customer, { followsId: id })
  expect((await seen(customer, next)).follows?.id).toBe(id)
  for (const followsId of [await opened(person()), systemIds.next(), next])
    await expect(opened(customer, { followsId })).rejects.toThrow('VALIDATION')
})

it('the switch stops customers and lets staff work', async () => {
  const [customer, staff] = [person(), await worker()]
  const id = await opened(customer)
  const ended = await opened(customer)
  await act(customer, ended, 'close')
  await switchTickets(false)
  const off = { ok: false, code: 'TICKETS_DISABLED' }
  await expect(opened(customer)).rejects.toThrow('TICKETS_DISABLED')
  expect([await say(customer, id), await act(customer, ended, 'reopen')]).toEqual([off, off])
  expect([(await say(staff, id)).ok, (await act(staff, ended, 'reopen')).ok]).toEqual([true, true])
  expect((await seen(customer, id)).messages).toHaveLength(2)
  await switchTickets(true)
})

it('without a confirmed e-mail address a person opens one ticket, also of several at once', async () => {
  const customer = person()
  const tried = await Promise.all(Array.from({ length: 4 }, () => opens(customer, {}, false)))
  expect(tried.filter(({ ok }) => ok)).toHaveLength(1)
  expect(tried.filter(({ ok }) => !ok)).toEqual(
    Array.from({ length: 3 }, () => ({ ok: false, code: 'EMAIL_NOT_VERIFIED' })),
  )
  expect(await listTickets(context().db, { caller: customer })).toHaveLength(1)
  // The others are not in its way, and a confirmed address ends it.
  expect((await opens(person(), {}, false)).ok).toBe(true)
  expect((await opens(customer)).ok).toBe(true)
})

it('is opened in an active category alone', async () => {
  const inactive = systemIds.next()
  await database.owner.query(
    `insert into cms_api.ticket_categories values ($1, '{"en": "Old", "hu": "", "de": ""}', false)`,
    [inactive],
  )
  for (const category of [inactive, systemIds.next()])
    await expect(opened(person(), { categoryId: category })).rejects.toThrow('VALIDATION')
  const offered = await listTicketCategories(context(), { locale: 'de' })
  expect(offered).toEqual([{ id: categoryId, name: 'Rechnung', replyTime: null }])
})

it('tells the reply time once ten tickets of the last thirty days were answered', async () => {
  nowMs = NOW + 400 * DAY_MS
  const other = systemIds.next()
  const [staff, colleague] = [await worker(), await worker(other)]
  await database.owner.query(
    `insert into cms_api.ticket_categories values ($1, '{"en": "Zoo", "hu": "Zoo", "de": "Zoo"}', true)`,
    [other],
  )
  const start = nowMs
  const timeOf = async (id: string) =>
    (await listTicketCategories(context(), person())).find((category) => category.id === id)?.replyTime
  for (let at = 1; at <= 10; at += 1) {
    nowMs = start
    const id = await opened(person())
    const elsewhere = at < 10 ? await opened(person(), { categoryId: other }) : undefined
    nowMs = start + at * 60_000
    await say(staff, id)
    if (elsewhere !== undefined) expect((await say(colleague, elsewhere)).ok).toBe(true)
    // Nine replies of another category are not those of this one, and this one's do not count there.
    expect(await timeOf(other)).toBeNull()
    expect(await timeOf(categoryId)).toEqual(at < 10 ? null : { medianMs: 300_000, ninetyPercentMs: 540_000 })
  }
  nowMs += 31 * DAY_MS
  expect(await timeOf(categoryId)).toBeNull()
  await database.owner.query('delete from cms_api.ticket_categories where id = $1', [other])
})

it('is rated by its opener once it is closed, and changed once', async () => {
  const [customer, staff] = [person(), await worker()]
  const id = await opened(customer)
  const rate = (caller: TicketCaller, rating: 'good' | 'bad') =>
    rateTicket(context(), { caller, ticketId: id, requestId, rating })
  expect(await rate(customer, 'good')).toEqual({ ok: false, code: 'TICKET_NOT_CLOSED' })
  await act(staff, id, 'close')
  expect(await rate(staff, 'good')).toEqual({ ok: false, code: 'FORBIDDEN' })
  const steps = ['bad', 'bad', 'good', 'good', 'bad'] as const
  const results = []
  for (const rating of steps) results.push(await rate(customer, rating))
  expect(results).toEqual([{ ok: true }, { ok: true }, { ok: true }, { ok: true }, { ok: false, code: 'TICKET_RATED' }])
  expect((await seen(customer, id)).rating).toBe('good')
})

it('is read up to a message of its own, never back', async () => {
  const [customer, staff] = [person(), await worker()]
  const id = await opened(customer)
  await say(staff, id, 'one')
  const [, one] = (await seen(customer, id)).messages
  const read = (upTo: string) => readTicketUpTo(context(), { caller: customer, ticketId: id, upTo })
  const isUnread = async () => (await seen(customer, id)).ticket.unread
  const foreign = (await seen(staff, await opened(staff))).messages[0]
  await read(foreign?.id ?? '')
  expect(await isUnread()).toBe(true)
  await read(one?.id ?? '')
  expect(await isUnread()).toBe(false)
  await say(staff, id, 'two')
  const two = (await seen(customer, id)).messages.at(-1)
  await read(two?.id ?? '')
  await read(one?.id ?? '')
  expect(await isUnread()).toBe(false)
})

it('gives its messages and the list in pages without a gap', async () => {
  const customer = person()
  const id = await opened(customer)
  for (let at = 1; at <= 6; at += 1) await say(customer, id, `m${at}`)
  const last = await seen(customer, id, { limit: 3 })
  const first = last.messages[0]?.id ?? ''
  const earlier = await seen(customer, id, { limit: 4, before: first })
  expect([...earlier.messages, ...last.messages].map(({ message }) => message)).toEqual([
    OPENING.message,
    'm1',
    'm2',
    'm3',
    'm4',
    'm5',
    'm6',
  ])
  expect([last.hasEarlier, earlier.hasEarlier]).toEqual([true, false])
  const ids = [await opened(customer), await opened(customer), id]
  await say(customer, ids[1] ?? '')
  const all = await listTickets(database.db, { caller: customer })
  const pages = []
  for (let before: string | undefined; ; before = pages.at(-1)?.id) {
    const page = await listTickets(database.db, { caller: customer, limit: 1, before })
    if (page.length === 0) break
    pages.push(...page)
  }
  expect(pages).toEqual(all)
  const stranger = await listTickets(database.db, { caller: customer, before: await opened(person()) })
  expect(stranger).toEqual([])
})
