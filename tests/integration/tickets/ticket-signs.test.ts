import { generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, exportJWK } from 'jose'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { RoutedEvent, type GatewayMessage, type OwnTicketSign, type TicketSignOf } from '#contracts/gateway/events.ts'
import { systemIds } from '#platform/ids.ts'
import { BrowserGateway } from '../../../control-plane/api/gateway/browser-gateway.ts'
import { SIGN_LIMITS } from '../../../control-plane/api/gateway/ticket-signs.ts'
import { openPostgresBus, type BusEvent, type EventBus } from '../../../control-plane/platform/event-bus.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { closeOrReopen } from '../../../control-plane/tickets/change-ticket.ts'
import { addTicketPerson } from '../../../control-plane/tickets/manage-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { siteTokens } from '../../factories/site-token.ts'
import { TicketDesk } from '../../factories/ticket-desk.ts'
import { socketPair, type Peer } from '../../support/socket-pair.ts'
import { waitFor } from '../../support/wait-for.ts'

const KID = 'site-key'
const ORIGIN = 'https://site.test'
const pair = generateKeyPairSync('ed25519')
const tokenOf = siteTokens({ key: pair.privateKey, kid: KID })

let desk: TicketDesk
let bus: EventBus
let gateways: BrowserGateway[] = []
/** Everything that the gateways told one another. */
let told: BusEvent[] = []
beforeAll(async () => {
  desk = await TicketDesk.open()
  desk.nowMs = Date.now()
  bus = await openPostgresBus(desk.context())
})
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()))
  gateways = []
  told = []
})
afterAll(async () => {
  await bus.close()
  await desk.close()
})

const gatewayAt = async () => {
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: KID, alg: 'EdDSA', use: 'sig' }
  const publish: EventBus['publish'] = (...events) => {
    told.push(...events)
    return bus.publish(...events)
  }
  const deps = {
    ...desk.context(),
    bus: { ...bus, publish },
    metrics: createMetrics(),
    keys: createLocalJWKSet({ keys: [jwk] }),
  }
  const gateway = new BrowserGateway({ ...deps, origins: [ORIGIN] })
  gateways.push(gateway)
  return gateway
}
const pageOf = async (gateway: BrowserGateway, { userId }: TicketCaller): Promise<Peer<GatewayMessage>> => {
  const token = await tokenOf({ userId, sessionId: systemIds.next() })
  const query = new URLSearchParams({ token })
  const answer = await gateway.route.answer({ path: '/api/ws/gateway', query, origin: ORIGIN, address: '192.0.2.1' })
  if ('refuse' in answer) throw new Error(`refused with ${answer.refuse}`)
  const { socket, peer } = socketPair<GatewayMessage>('192.0.2.1')
  answer.accept(socket)
  return peer
}
const say = (peer: Peer<GatewayMessage>, ticketId: string, sign: OwnTicketSign['sign']) =>
  peer.send({ event: 'ticket.sign', data: { ticketId, sign } })
const heard = (peer: Peer<GatewayMessage>): TicketSignOf[] =>
  peer.received.flatMap((message) => (message.event === 'ticket.sign' ? [message.data] : []))
const nameOf = async ({ userId }: TicketCaller) => {
  const [row] = await desk.database.owner.query<{ username: string }>(
    'select username from cms_api.people where id = $1',
    [userId],
  )
  return String(row?.username)
}

/** A ticket whose people all have a page open, over two gateways. */
const scene = async () => {
  const [customer, added, staff, colleague, elsewhere, stranger] = [
    await desk.person(),
    await desk.person(),
    await desk.worker(),
    await desk.worker(),
    await desk.worker(await desk.category()),
    await desk.person(),
  ]
  const ticketId = await desk.opened(customer)
  await addTicketPerson(desk.context(), { caller: staff, ticketId, userId: added.userId, requestId: 'req-1' })
  const [one, two] = [await gatewayAt(), await gatewayAt()]
  const pages = {
    customer: await pageOf(one, customer),
    added: await pageOf(two, added),
    staff: await pageOf(one, staff),
    colleague: await pageOf(two, colleague),
    elsewhere: await pageOf(one, elsewhere),
    stranger: await pageOf(two, stranger),
  }
  return { ticketId, added, staff, pages, one }
}
const signsOf = (peer: Peer<GatewayMessage>) => heard(peer).map(({ sign, by }) => [sign, by?.username ?? null])

it('G10 a message of staff is told to colleagues by name and to customers without one, and to nobody else', async () => {
  const { ticketId, staff, pages } = await scene()
  const name = await nameOf(staff)
  say(pages.staff, ticketId, 'answering')
  await waitFor('the colleague', () => heard(pages.colleague).length === 1)
  say(pages.staff, ticketId, 'writing')
  await waitFor('both sides', () => heard(pages.added).length === 1 && heard(pages.customer).length === 1)
  await waitFor('the colleague', () => heard(pages.colleague).length === 2)
  expect(signsOf(pages.colleague)).toEqual([
    ['answering', name],
    ['writing', name],
  ])
  for (const page of [pages.customer, pages.added]) {
    expect(heard(page)).toEqual([{ ticketId, sign: 'writing', by: null }])
    expect(JSON.stringify(page.received)).not.toContain(staff.userId)
  }
  for (const page of [pages.staff, pages.elsewhere, pages.stranger]) expect(heard(page)).toEqual([])
})

it('G10 a message of a customer is told by name to staff and to the other customers', async () => {
  const { ticketId, added, pages } = await scene()
  say(pages.added, ticketId, 'writing')
  await waitFor('everybody', () =>
    [pages.customer, pages.staff, pages.colleague].every((page) => heard(page).length === 1),
  )
  const by = { id: added.userId, username: await nameOf(added) }
  for (const page of [pages.customer, pages.staff, pages.colleague])
    expect(heard(page)).toEqual([{ ticketId, sign: 'writing', by }])
  for (const page of [pages.added, pages.elsewhere, pages.stranger]) expect(heard(page)).toEqual([])
})

it('G10 customers never hear of a note, neither of its beginning nor of its end', async () => {
  const { ticketId, staff, pages } = await scene()
  for (const sign of ['noting', 'noting', 'ended'] as const) say(pages.staff, ticketId, sign)
  await waitFor('the colleague', () => heard(pages.colleague).length === 3)
  say(pages.staff, ticketId, 'writing')
  await waitFor('the customer', () => heard(pages.customer).length > 0)
  say(pages.staff, ticketId, 'noting')
  await waitFor('the end', () => heard(pages.customer).length > 1)
  const name = await nameOf(staff)
  expect(signsOf(pages.colleague).slice(0, 3)).toEqual([
    ['noting', name],
    ['noting', name],
    ['ended', name],
  ])
  for (const page of [pages.customer, pages.added])
    expect(signsOf(page)).toEqual([
      ['writing', null],
      ['ended', null],
    ])
})

it('G10 it is over when the socket closes', async () => {
  const { ticketId, pages } = await scene()
  say(pages.staff, ticketId, 'writing')
  await waitFor('the customer', () => heard(pages.customer).length === 1)
  pages.staff.cut()
  await waitFor('the end', () => heard(pages.customer).length === 2 && heard(pages.colleague).length === 2)
  expect(heard(pages.customer).at(-1)).toEqual({ ticketId, sign: 'ended', by: null })
  expect(heard(pages.colleague).at(-1)?.sign).toBe('ended')
})

it('G10 a person who may not read a ticket tells nobody anything in it', async () => {
  const { ticketId, pages } = await scene()
  say(pages.stranger, ticketId, 'writing')
  say(pages.elsewhere, ticketId, 'answering')
  say(pages.stranger, systemIds.next(), 'writing')
  // A customer has no form of staff.
  say(pages.added, ticketId, 'answering')
  say(pages.added, ticketId, 'noting')
  // A gateway that closes has passed on everything that was said.
  await Promise.all(gateways.map((gateway) => gateway.close()))
  expect(told).toEqual([])
})

it('G10 a person is heard twice a second, over all their pages, and an end always', async () => {
  const { ticketId, staff, pages, one } = await scene()
  const second = await pageOf(one, staff)
  for (let at = 0; at < 15; at += 1) {
    say(pages.staff, ticketId, 'noting')
    say(second, ticketId, 'noting')
  }
  say(second, ticketId, 'ended')
  await waitFor('the end', () => heard(pages.colleague).some(({ sign }) => sign === 'ended'))
  await waitFor('the burst', () => heard(pages.colleague).filter(({ sign }) => sign === 'noting').length >= 20)
  expect(heard(pages.colleague).filter(({ sign }) => sign === 'noting')).toHaveLength(20)
  expect(pages.staff.closed ?? second.closed).toBeUndefined()
})

it.each([
  ['text', { sign: 'writing', text: 'hello' }],
  ['an unknown sign', { sign: 'sleeping' }],
  ['no ticket', { ticketId: 'x', sign: 'writing' }],
])('G10 a sign with %s closes the socket', async (_name, data) => {
  const { ticketId, pages } = await scene()
  pages.customer.sendText(JSON.stringify({ event: 'ticket.sign', data: { ticketId, ...data } }))
  expect(pages.customer.closed?.code).toBe(4400)
})

it('G10 signs are stored nowhere', async () => {
  const { ticketId, pages } = await scene()
  const rows = () =>
    desk.database.owner.query(
      `select (select count(*) from control.outbox) as told, (select count(*) from control.bus_events) as large`,
    )
  const before = await rows()
  say(pages.staff, ticketId, 'writing')
  await waitFor('the customer', () => heard(pages.customer).length === 1)
  expect(await rows()).toEqual(before)
})

it('G10 nobody writes a message into a closed ticket, and staff still write notes about it', async () => {
  const { ticketId, staff, pages } = await scene()
  await closeOrReopen(desk.context(), { caller: staff, ticketId, act: 'close', requestId: 'req-1' })
  for (const sign of ['writing', 'answering', 'noting'] as const) say(pages.staff, ticketId, sign)
  say(pages.added, ticketId, 'writing')
  await waitFor('the note', () => heard(pages.colleague).some(({ sign }) => sign === 'noting'))
  await Promise.all(gateways.map((gateway) => gateway.close()))
  const signs = told.flatMap(({ data }) => RoutedEvent.parse(data).message).map(({ data }) => data)
  expect(signs).not.toContainEqual(expect.objectContaining({ sign: 'writing' }))
  expect(signs).not.toContainEqual(expect.objectContaining({ by: null }))
})

it('G10 a socket is at work on twenty tickets at a time', async () => {
  const { ticketId, pages } = await scene()
  const others = Array.from({ length: SIGN_LIMITS.tickets }, () => systemIds.next())
  for (const other of others) say(pages.customer, other, 'writing')
  desk.nowMs += 60_000
  say(pages.customer, ticketId, 'writing')
  say(pages.customer, others[0] ?? '', 'ended')
  say(pages.customer, ticketId, 'writing')
  await waitFor('the sign', () => heard(pages.staff).length > 0)
  await Promise.all(gateways.map((gateway) => gateway.close()))
  expect(told.filter(({ data }) => JSON.stringify(data).includes('"writing"'))).toHaveLength(2)
})
