import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { listTickets } from '../../../control-plane/tickets/read-tickets.ts'
import { ticketQueue } from '../../../control-plane/tickets/ticket-queue.ts'
import { TicketDesk } from '../../factories/ticket-desk.ts'

let desk: TicketDesk
beforeAll(async () => {
  desk = await TicketDesk.open()
})
afterAll(() => desk.close())

type Looked = Partial<Omit<Parameters<typeof listTickets>[1], 'caller'>>
const own = async (caller: TicketCaller, looked: Looked) =>
  (await listTickets(desk.database.db, { caller, ...looked })).map(({ id }) => id)
const queue = async (caller: TicketCaller, text: string) => {
  const result = await ticketQueue(desk.database.db, { caller, text })
  if (!result.ok) throw new Error(result.code)
  return result.tickets.map(({ id }) => id)
}

describe('words', () => {
  it.each([
    ['A szerverből eltűntek a számlák', 'szerver'],
    ['A szerverből eltűntek a számlák', 'SZERVEREK számla'],
    ['A szerverből eltűntek a számlák', 'szerverbol szamlak'],
    ['A szerverből eltűntek a számlák', 'eltun'],
    ['My houses were running', 'house run'],
    ['My houses were running', 'the house were'],
    ['Die Häuser auf der Straße', 'haus strasse'],
    ['Die Häuser auf der Straße', 'hauser'],
    ['config in server.properties, line 25565', 'properties 25565'],
    ['config in server.properties, line 25565', 'server.prop'],
    ['„Idézet” – és… vége', 'idézet vége'],
    ["it's o'clock \\ 'x'", "o'clock x"],
    ['Привет мир', 'ПРИВЕТ'],
  ])('%j is found by %j, or is not', async (message, text) => {
    const found = text !== 'the house were'
    const customer = await desk.person()
    const id = await desk.opened(customer, { message })
    expect(await own(customer, { text })).toEqual(found ? [id] : [])
  })

  it.each([
    ['letters of several signs each, without a space', '각'.repeat(600)],
    ['accents alone', '\u0301\u0302'],
    ['a word beyond any vector', 'x'.repeat(5_000)],
  ])('a message with %s is kept, and its other words are found', async (_what, word) => {
    const customer = await desk.person()
    const id = await desk.opened(customer, { message: `before ${word} behind` })
    expect(await own(customer, { text: 'before behind' })).toEqual([id])
  })

  it('all of them must be there, only the last may be unfinished', async () => {
    const customer = await desk.person()
    const id = await desk.opened(customer, { title: 'Castle', message: 'Everything crashed yesterday evening' })
    const found = async (text: string) => (await own(customer, { text })).includes(id)
    expect([await found('yesterday even'), await found('yester evening')]).toEqual([true, false])
    expect([await found('evening noon'), await found('cas'), await found('ening')]).toEqual([false, true, false])
    expect([await found('e'), await found('!?…'), await found("' | ''):* & (")]).toEqual([false, false, false])
  })

  it('are found in each message, in the title and by the number', async () => {
    const customer = await desk.person()
    const id = await desk.opened(customer, { title: 'Castle' })
    await desk.say(customer, id, { text: 'first clue' })
    await desk.say(customer, id, { text: 'newest' })
    const [ticket] = await listTickets(desk.database.db, { caller: customer })
    for (const text of ['clue', 'castle', `#${ticket?.identifier ?? ''}`])
      expect(await own(customer, { text })).toEqual([id])
    expect(await own(customer, { text: 'clue', status: 'closed' })).toEqual([])
  })

  it('of others, and of notes, are found by no customer', async () => {
    const [customer, stranger, staff] = [await desk.person(), await desk.person(), await desk.worker()]
    const id = await desk.opened(customer, { message: 'weather' })
    await desk.say(staff, id, { kind: 'note', text: 'suspicious' })
    expect([await own(stranger, { text: 'weather' }), await own(customer, { text: 'suspicious' })]).toEqual([[], []])
    expect(await own(customer, { find: 'suspicious' })).toEqual([])
    expect([await queue(staff, 'weather'), await queue(staff, 'suspicious')]).toEqual([[id], [id]])
    expect(await queue(await desk.worker(await desk.category()), 'weather')).toEqual([])
  })

  it('keep the order and the pages of the list', async () => {
    const customer = await desk.person()
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1) {
      desk.nowMs += 1_000
      const id = await desk.opened(customer, { message: at === 2 ? 'other' : 'beacon' })
      if (at !== 2) ids.unshift(id)
    }
    const first = await own(customer, { text: 'beacon', limit: 2 })
    expect([...first, ...(await own(customer, { text: 'beacon', limit: 2, before: first[1] }))]).toEqual(ids)
  })
})

it('a part of the title or of the newest message finds a ticket, without regard to case and accents', async () => {
  const customer = await desk.person()
  const id = await desk.opened(customer, { title: 'Szigetvár 100%', message: 'alpha' })
  await desk.say(customer, id, { text: `${'long '.repeat(2_000)} the END_of it` })
  const found = async (find: string) => (await own(customer, { find })).includes(id)
  expect([await found('GETVAR'), await found('igetvár 100%'), await found('d_OF')]).toEqual([true, true, true])
  expect([await found('alpha'), await found('get%ar'), await found('endXof')]).toEqual([false, false, false])
  expect(await own(await desk.person(), { find: 'getvar' })).toEqual([])
})
