import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import type { FigureDays } from '#domain/tickets/ticket-figures.ts'
import { systemIds } from '#platform/ids.ts'
import { answerTicket } from '../../../control-plane/tickets/answer-ticket.ts'
import { closeOrReopen, rateTicket } from '../../../control-plane/tickets/change-ticket.ts'
import { assignTicket } from '../../../control-plane/tickets/manage-ticket.ts'
import { openTicket } from '../../../control-plane/tickets/open-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { ticketFigures } from '../../../control-plane/tickets/ticket-figures.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
/** 23:30 in UTC is the next day in Budapest. */
const NOW = Date.UTC(2026, 10, 20, 23, 30)
const [billing, technical, old, foreign] = [systemIds.next(), systemIds.next(), systemIds.next(), systemIds.next()]

let database: PlatformDatabase
let nowMs = NOW
let admin: TicketCaller
let customer: TicketCaller
let anna: TicketCaller
let bela: TicketCaller

const context = () => ({ ...testContext(database.db), clock: { now: () => nowMs } })
const person = async (username: string, facts: Partial<TicketCaller> = {}): Promise<TicketCaller> => {
  const userId = systemIds.next()
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email) values ($1, $2, 'acdefghj', $2 || '@example.test')`,
    [userId, username],
  )
  return { userId, isAdmin: false, isSupport: false, locale: 'hu', ...facts }
}
const work = ({ userId }: TicketCaller, categoryId: string | null) =>
  database.owner.query('insert into cms_api.ticket_staff values ($1, $2)', [userId, categoryId])

beforeAll(async () => {
  database = await platformDatabase()
  for (const [id, name, active] of [
    [billing, 'Számlázás', true],
    [technical, 'Technika', true],
    [old, 'Régi', false],
    [foreign, 'Egyéb', true],
  ])
    await database.owner.query('insert into cms_api.ticket_categories (id, name, active) values ($1, $2, $3)', [
      id,
      JSON.stringify({ en: name, hu: name, de: name }),
      active,
    ])
  customer = await person('customer')
  admin = await person('zoe', { isAdmin: true })
  anna = await person('anna', { isSupport: true })
  bela = await person('bela', { isSupport: true })
  await work(admin, null)
  for (const categoryId of [billing, technical]) await work(anna, categoryId)
  await work(bela, billing)
})
beforeEach(async () => {
  nowMs = NOW
  await database.owner.query('delete from control.tickets')
})
afterAll(() => database.close())

type Story = {
  readonly agoMs: number
  readonly category?: string
  readonly repliedAfterMs?: number
  readonly by?: TicketCaller
  readonly closedAfterMs?: number
  readonly rated?: 'good' | 'bad'
}
const asked = (ticketId: string, caller: TicketCaller) => ({ caller, ticketId, requestId: 'r' })
const act = async (done: Promise<{ readonly ok: boolean }>) => expect(await done).toMatchObject({ ok: true })
const say = (ticketId: string, caller: TicketCaller, kind: 'message' | 'note' = 'message') =>
  act(answerTicket(context(), { ...asked(ticketId, caller), kind, text: 'Yes', key: systemIds.next() }))
const close = (ticketId: string, caller: TicketCaller, how: 'close' | 'reopen' = 'close') =>
  act(closeOrReopen(context(), { ...asked(ticketId, caller), act: how }))

/** A ticket as its calls make it. */
const ticket = async ({ agoMs, category = billing, repliedAfterMs, by = anna, closedAfterMs, rated }: Story) => {
  const openedMs = NOW - agoMs
  nowMs = openedMs
  const request = { title: 'Help', categoryId: category, message: 'Please' }
  const opened = await openTicket(context(), {
    caller: { ...customer, isVerified: true },
    request,
    key: systemIds.next(),
    requestId: 'r',
  })
  if (!opened.ok) throw new Error(opened.code)
  const { ticketId } = opened.answer
  if (repliedAfterMs !== undefined) {
    nowMs = openedMs + repliedAfterMs
    await say(ticketId, by)
  }
  if (closedAfterMs !== undefined) {
    nowMs = openedMs + closedAfterMs
    await close(ticketId, customer)
    if (rated) await act(rateTicket(context(), { ...asked(ticketId, customer), rating: rated }))
  }
  nowMs = NOW
  return ticketId
}
const figures = async (caller: TicketCaller = admin, days: FigureDays = '7') => {
  const result = await ticketFigures(context(), { caller, days })
  if (!result.ok) throw new Error(result.code)
  return TicketFigures.parse(result.figures)
}
const NONE = {
  opened: 0,
  answered: 0,
  solved: 0,
  unanswered: 0,
  waiting: 0,
  firstReply: null,
  solving: null,
  good: 0,
  bad: 0,
}

it('counts a known history exactly: in all, by category, by person and by day', async () => {
  for (let at = 1; at <= 10; at += 1)
    await ticket({
      agoMs: DAY_MS + at * MINUTE_MS,
      repliedAfterMs: at * MINUTE_MS,
      closedAfterMs: at * 10 * MINUTE_MS,
      ...(at <= 3 ? { rated: 'good' } : at === 4 ? { rated: 'bad' } : {}),
    })
  await ticket({ agoMs: 2 * DAY_MS, category: technical, repliedAfterMs: 5 * MINUTE_MS, by: admin })
  await ticket({ agoMs: 3 * DAY_MS, category: technical, closedAfterMs: MINUTE_MS, rated: 'bad' })
  await ticket({ agoMs: MINUTE_MS })
  // Older than the week: opened before it, and solved in it by somebody else than who replied.
  const late = await ticket({ agoMs: 9 * DAY_MS, repliedAfterMs: MINUTE_MS })
  await act(assignTicket(context(), { ...asked(late, anna), userId: bela.userId, seen: null }))
  nowMs = NOW - 10 * MINUTE_MS
  await close(late, bela)
  nowMs = NOW

  const { all, days, categories, staff } = await figures()
  expect(all).toEqual({
    opened: 13,
    answered: 11,
    solved: 11,
    unanswered: 1,
    waiting: 1,
    firstReply: { medianMs: 5 * MINUTE_MS, ninetyPercentMs: 9 * MINUTE_MS },
    solving: { medianMs: 60 * MINUTE_MS, ninetyPercentMs: 100 * MINUTE_MS },
    good: 3,
    bad: 2,
  })
  expect(days.filter(({ opened, solved }) => opened + solved > 0)).toEqual([
    { day: '2026-11-18', opened: 1, solved: 0 },
    { day: '2026-11-19', opened: 1, solved: 0 },
    { day: '2026-11-20', opened: 10, solved: 10 },
    { day: '2026-11-21', opened: 1, solved: 1 },
  ])
  expect([days.length, days[0]?.day]).toEqual([7, '2026-11-15'])
  expect(categories.map(({ name }) => name)).toEqual(['Egyéb', 'Számlázás', 'Technika'])
  expect(categories[2]).toEqual({
    id: technical,
    name: 'Technika',
    ...NONE,
    opened: 2,
    answered: 1,
    unanswered: 1,
    bad: 1,
  })
  expect(staff).toEqual([
    {
      id: anna.userId,
      username: 'anna',
      answered: 10,
      firstReply: { medianMs: 5 * MINUTE_MS, ninetyPercentMs: 9 * MINUTE_MS },
      solved: 10,
      solving: { medianMs: 50 * MINUTE_MS, ninetyPercentMs: 90 * MINUTE_MS },
      good: 3,
      bad: 1,
    },
    { id: bela.userId, username: 'bela', answered: 0, firstReply: null, solved: 1, solving: null, good: 0, bad: 0 },
    { id: admin.userId, username: 'zoe', answered: 1, firstReply: null, solved: 0, solving: null, good: 0, bad: 0 },
  ])
  expect((await figures(admin, '30')).all).toMatchObject({ opened: 14, answered: 12, solved: 11 })
})

it('counts the final closing of a reopened ticket, and neither notes nor events as a reply', async () => {
  const noted = await ticket({ agoMs: DAY_MS })
  await say(noted, anna, 'note')
  await act(assignTicket(context(), { ...asked(noted, anna), userId: anna.userId, seen: null }))
  expect((await figures()).all).toEqual({ ...NONE, opened: 1, waiting: 1 })
  await say(noted, bela)
  expect((await figures()).staff).toMatchObject([{ id: bela.userId, answered: 1 }])

  const reopened = await ticket({ agoMs: 2 * DAY_MS, repliedAfterMs: MINUTE_MS, closedAfterMs: 2 * MINUTE_MS })
  nowMs = NOW - DAY_MS
  await close(reopened, customer, 'reopen')
  expect((await figures()).all).toMatchObject({ solved: 0, waiting: 1 })
  nowMs = NOW - MINUTE_MS
  await close(reopened, anna)
  nowMs = NOW
  const { all, days } = await figures()
  expect([all.solved, days.at(-1)]).toEqual([1, { day: '2026-11-21', opened: 0, solved: 1 }])
})

it('counts a merged ticket where it goes on, and one of a category that is gone without a name', async () => {
  const [kept, merged, gone] = [
    await ticket({ agoMs: DAY_MS, repliedAfterMs: MINUTE_MS }),
    await ticket({ agoMs: DAY_MS, repliedAfterMs: MINUTE_MS, closedAfterMs: 2 * MINUTE_MS }),
    await ticket({ agoMs: DAY_MS }),
  ]
  await database.owner.query('update control.tickets set merged_into = $1 where id = $2', [kept, merged])
  await database.owner.query('update control.tickets set category_id = $1 where id = $2', [systemIds.next(), gone])
  const { all, categories } = await figures()
  expect(all).toMatchObject({ opened: 2, answered: 1, solved: 0, waiting: 1 })
  expect(categories.at(-1)).toMatchObject({ name: '', opened: 1 })
})

it('counts the first reply to a merged ticket for its author, from that ticket on, and its rating', async () => {
  const kept = await ticket({ agoMs: DAY_MS })
  const story = { agoMs: 2 * DAY_MS, repliedAfterMs: MINUTE_MS, closedAfterMs: 2 * MINUTE_MS, rated: 'bad' } as const
  const merged = await ticket(story)
  await database.owner.query('update control.tickets set merged_into = $1 where id = $2', [kept, merged])
  await close(kept, bela)
  const { all, staff } = await figures()
  expect(all).toEqual({ ...NONE, opened: 1, answered: 1, solved: 1, bad: 1 })
  expect(staff).toMatchObject([{ id: anna.userId, answered: 1, solved: 1, bad: 1 }])
})

it('tells support only the categories of its roles, and of people only themselves', async () => {
  await ticket({ agoMs: DAY_MS, repliedAfterMs: MINUTE_MS, closedAfterMs: 2 * MINUTE_MS, rated: 'good' })
  await ticket({ agoMs: DAY_MS, category: technical, repliedAfterMs: MINUTE_MS, by: anna })
  const retired = await ticket({ agoMs: DAY_MS, category: foreign })
  await database.owner.query('update control.tickets set category_id = $1 where id = $2', [old, retired])
  await ticket({ agoMs: DAY_MS, category: foreign })
  const seen = await figures(bela)
  expect(seen.all).toEqual({ ...NONE, opened: 1, answered: 1, solved: 1, good: 1 })
  expect(seen.categories.map(({ id }) => id)).toEqual([billing])
  expect(seen.staff).toEqual([
    { id: bela.userId, username: 'bela', answered: 0, firstReply: null, solved: 0, solving: null, good: 0, bad: 0 },
  ])
  expect((await figures(anna)).staff).toMatchObject([{ id: anna.userId, answered: 2, solved: 1, good: 1 }])
  expect((await figures(admin)).categories.map(({ name }) => name)).toContain('Régi')
  const nowhere = await figures(await person('carol', { isSupport: true }))
  expect([nowhere.all, nowhere.categories]).toEqual([NONE, []])
  expect(await ticketFigures(context(), { caller: customer, days: '7' })).toEqual({ ok: false, code: 'FORBIDDEN' })
})
