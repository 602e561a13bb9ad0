import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type { Database } from '#platform/postgres/database.ts'
import { TicketList } from '../../src/contracts/http/desk/ticket-entity.ts'
import { TicketCategories, TicketView } from '../../src/contracts/http/ticket.ts'
import type { Account } from '../support/demo.ts'
import { MESSAGES_OF_EACH, seedTickets, TICKETS } from './many-tickets.ts'
import { withDatabaseDemo } from './own-database-demo.ts'
import { median, percentile, type Figure, type Section } from './report.ts'

const OPENERS = 200
const READS = 100
/** Reads that compile and plan belong to no figure. */
const WARM = 10
const GOAL_MS = 150
/** A customer's list and the queue are read by pages of their screens; a program may ask for as many as an answer takes. */
const LIST_PAGE = 25
const QUEUE_PAGE = 50
/** The search of the whole site shows so many tickets. */
const SEARCH_PAGE = 20

type Measured = { readonly name: string; readonly api: () => Promise<void>; readonly bare: () => Promise<unknown> }

const timesOf = async (read: () => Promise<unknown>): Promise<number[]> => {
  const times: number[] = []
  for (let at = 0; at < WARM + READS; at += 1) {
    const beganAt = performance.now()
    await read()
    if (at >= WARM) times.push(performance.now() - beganAt)
  }
  return times
}

const tokenOf = async (url: string, { username, password }: Account): Promise<string> => {
  const headers = { 'content-type': 'application/json', origin: url }
  const body = JSON.stringify({ username, password })
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  return z.object({ access_token: z.string() }).parse(await answer.json()).access_token
}

/** Reads through the whole way of a browser; an answer that is none, or empty, ends the bench. */
const readerOf =
  (url: string, token: string) =>
  async <Answer>(path: string, schema: z.ZodType<Answer>): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
    return schema.parse(await answer.json())
  }

const idOf = async (db: Database, username: string): Promise<string> => {
  const [row] = await db.query<{ id: string }>('select id from public.users where username = $1', [username])
  if (!row) throw new Error(`${username} is nobody.`)
  return row.id
}

const filled = (count: number): void => {
  if (count === 0) throw new Error('There was nothing to read.')
}

/**
 * Bare statements that read the rows alone: without rights, names, the last message and the marks of what was read. Words are looked for as
 * the lists do: where they stand in few tickets the newest of them are found first.
 */
const BARE = {
  own: 'select * from control.tickets where opener_id = $1 order by moved_at desc, id desc limit $2',
  queue: 'select * from control.tickets where waiting_since is not null order by waiting_since, id limit $1',
  rest: 'select * from control.tickets where waiting_since is null order by moved_at desc, id desc limit $1',
  words: `select ticket_id from control.ticket_messages where words @@ control.words_query($1) and kind <> 'event' limit $2`,
  find: 'select * from control.tickets where opener_id = $1 and strpos(lower(title), $2) > 0 order by moved_at desc, id desc limit $3',
  lines: 'select * from control.ticket_messages where ticket_id = $1 order by seq desc limit 51',
}

type Way = ReturnType<typeof readerOf>
type Asked = { readonly db: Database; readonly customer: Way; readonly support: Way; readonly openerId: string }

const measures = async ({ db, customer, support, openerId }: Asked): Promise<readonly Measured[]> => {
  const list = (way: Way, path: string) => async () => filled((await way(path, TicketList)).length)
  const own = await customer('/api/ticket/all', TicketList)
  let turn = 0
  const nextId = (): string => own[(turn += 1) % own.length]?.id ?? ''
  const search = (text: string): Measured => ({
    name: `staff look for "${text}"`,
    api: list(support, `/api/ticket/queue?limit=${QUEUE_PAGE}&text=${encodeURIComponent(text)}`),
    bare: () => db.query(BARE.words, [text, QUEUE_PAGE]),
  })
  const find = (text: string, name: string): Measured => ({
    name: `the search of the site looks for ${name}`,
    api: async () =>
      void (await customer(`/api/ticket/all?limit=${SEARCH_PAGE}&find=${encodeURIComponent(text)}`, TicketList)),
    bare: () => db.query(BARE.find, [openerId, text, SEARCH_PAGE]),
  })
  const [once] = await db.query<{ text: string }>('select text from control.ticket_messages order by id limit 1')
  return [
    {
      name: "a page of a customer's list",
      api: list(customer, `/api/ticket/all?limit=${LIST_PAGE}`),
      bare: () => db.query(BARE.own, [openerId, LIST_PAGE]),
    },
    {
      name: 'a customer looks for "payment"',
      api: list(customer, `/api/ticket/all?limit=${LIST_PAGE}&text=payment`),
      bare: () => db.query(BARE.words, ['payment', LIST_PAGE]),
    },
    find('eve', '"eve", which many have'),
    find('lighthouse', '"lighthouse", which none has'),
    {
      name: 'a page of the queue',
      api: list(support, `/api/ticket/queue?limit=${QUEUE_PAGE}`),
      bare: () => db.query(BARE.queue, [QUEUE_PAGE]),
    },
    {
      name: 'a page of those that are closed',
      api: list(support, `/api/ticket/queue?limit=${QUEUE_PAGE}&status=closed`),
      bare: () => db.query(BARE.rest, [QUEUE_PAGE]),
    },
    {
      name: `${MAX_ITEMS} tickets of the queue in one answer`,
      api: list(support, '/api/ticket/queue'),
      bare: () => db.query(BARE.queue, [MAX_ITEMS]),
    },
    search('payment'),
    search('szerverek evening'),
    search(once?.text.split(' ').at(-1) ?? ''),
    {
      name: 'one ticket',
      api: async () => filled((await customer(`/api/ticket/${nextId()}`, TicketView)).messages.length),
      bare: () => db.query(BARE.lines, [nextId()]),
    },
  ]
}

/** Lists, search and opening of tickets among many, as their readers wait for them. */
export const benchTickets = (): Promise<Section> =>
  withDatabaseDemo({}, async ({ demo: { file }, db }) => {
    const openerId = await idOf(db, file.customer.username)
    const staffId = await idOf(db, file.support.username)
    const customer = readerOf(file.url, await tokenOf(file.url, file.customer))
    const support = readerOf(file.url, await tokenOf(file.url, file.support))
    const categoryIds = (await support('/api/ticket/categories', TicketCategories)).map(({ id }) => id)
    filled(categoryIds.length)
    const openers = [openerId, ...Array.from({ length: OPENERS - 1 }, () => randomUUID())]
    await seedTickets(db, { openers, staffId, categoryIds })
    const figures: Figure[] = []
    for (const { name, api, bare } of await measures({ db, customer, support, openerId })) {
      const [times, beside] = [await timesOf(api), await timesOf(bare)]
      figures.push({
        what: `${name}, 95th percentile`,
        value: percentile(times, 0.95),
        unit: 'ms',
        against: { what: 'the bare rows', value: percentile(beside, 0.95) },
        note: `goal ${GOAL_MS} ms; median ${median(times).toFixed(1)} ms`,
      })
    }
    return {
      title: 'Tickets',
      method:
        `${TICKETS} tickets of ${OPENERS} customers with ${TICKETS * MESSAGES_OF_EACH} messages; ${READS} reads each, one after the other, from the request to the parsed ` +
        'answer of the API. The bare rows, as many of them, are read by one statement without rights, names, last messages and read marks.',
      figures,
    }
  })
