import { generateKeyPairSync } from 'node:crypto'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, exportJWK } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import type { GatewayMessage } from '#contracts/gateway/events.ts'
import { BrowserGateway, type BrowserGatewayDeps } from '../../../control-plane/api/gateway/browser-gateway.ts'
import { endSessions } from '../../../control-plane/servers/access/end-sessions.ts'
import type { UpgradeRequest } from '../../../control-plane/platform/sockets/socket.ts'
import { openWebSocketDoor } from '../../../control-plane/platform/sockets/websocket.ts'
import { openPostgresBus, type EventBus } from '../../../control-plane/platform/event-bus.ts'
import { systemIds } from '#platform/ids.ts'
import type { Logger } from '#platform/logger.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { siteTokens, type TokenOptions } from '../../factories/site-token.ts'
import { socketPair, type Peer } from '../../support/socket-pair.ts'
import { waitFor } from '../../support/wait-for.ts'

const KID = 'site-key'
const pair = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const ORIGIN = 'https://site.test'

let database: PlatformDatabase
let bus: EventBus
let keys: BrowserGatewayDeps['keys']
let gateways: BrowserGateway[] = []
beforeAll(async () => {
  database = await platformDatabase()
  bus = await openPostgresBus(testContext(database.db))
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: KID, alg: 'EdDSA', use: 'sig' }] })
})
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()))
  gateways = []
})
afterAll(async () => {
  await bus.close()
  await database.close()
})

const open = (change: Partial<BrowserGatewayDeps> = {}) => {
  const gateway = new BrowserGateway({
    ...testContext(database.db),
    bus,
    metrics: createMetrics(),
    keys,
    origins: [ORIGIN],
    ...change,
  })
  gateways.push(gateway)
  return gateway
}

const tokenOf = siteTokens({ key: pair.privateKey, kid: KID })

const ask = (token: string | null, change: Partial<UpgradeRequest> = {}): UpgradeRequest => ({
  path: '/api/ws/gateway',
  query: new URLSearchParams(token === null ? {} : { token }),
  origin: ORIGIN,
  address: '192.0.2.1',
  ...change,
})

/** Opens a socket the way the door does; answers the far end, or the HTTP status of the refusal. */
async function connect(gateway: BrowserGateway, request: UpgradeRequest): Promise<Peer<GatewayMessage> | number> {
  const answer = await gateway.route.answer(request)
  if ('refuse' in answer) return answer.refuse
  const { socket, peer } = socketPair<GatewayMessage>(request.address)
  answer.accept(socket)
  return peer
}
async function connected(gateway: BrowserGateway, request: UpgradeRequest): Promise<Peer<GatewayMessage>> {
  const peer = await connect(gateway, request)
  if (typeof peer === 'number') throw new Error(`refused with ${peer}`)
  return peer
}
const userSocket = async (gateway: BrowserGateway, userId = systemIds.next(), sessionId = systemIds.next()) => ({
  userId,
  sessionId,
  peer: await connected(gateway, ask(await tokenOf({ userId, sessionId }))),
})
const send = (userIds: string[], message: GatewayMessage) =>
  bus.publish({ topic: 'browser-event', data: { userIds, message } })
const balance = (value: number): GatewayMessage => ({
  event: 'balance.change',
  data: { type: 'sandbox', change: value, balance: value },
})

describe('opening a socket', () => {
  it('G1 opens with an access token, any number of times', async () => {
    const gateway = open()
    const token = await tokenOf()
    for (let i = 0; i < 3; i += 1) expect((await connected(gateway, ask(token))).closed).toBeUndefined()
  })

  it('G1 a ticket opens one socket; its second use answers 4401', async () => {
    const gateway = open()
    const ticket = await tokenOf({ kind: 'ticket', seconds: 30 })
    expect((await connected(gateway, ask(ticket))).closed).toBeUndefined()
    expect((await connected(gateway, ask(ticket))).closed).toEqual({ code: 4401, reason: 'used' })
  })

  it('G1 of twenty uses of a ticket at once, over two processes, one opens', async () => {
    const both = [open(), open()]
    const ticket = await tokenOf({ kind: 'ticket', seconds: 30 })
    const peers = await Promise.all(Array.from({ length: 20 }, (_, i) => connected(both[i % 2] ?? open(), ask(ticket))))
    expect(peers.filter((peer) => !peer.closed)).toHaveLength(1)
  })

  it.each<[string, TokenOptions | null]>([
    ['no token', null],
    ['a token of a stranger', { key: stranger.privateKey }],
    ['a token for another audience', { aud: 'bakter-gateway' }],
    ['a ticket that calls itself an access token', { kind: 'ticket', typ: 'at+jwt' }],
    ['an access token that calls itself a ticket', { typ: 'gateway-ticket+jwt' }],
    ['a console token', { typ: 'console+jwt' }],
    ['a token without a session', { change: { sid: 'none' } }],
  ])('G1 refuses %s with 401 at the handshake', async (_name, options) => {
    expect(await connect(open(), ask(options && (await tokenOf(options))))).toBe(401)
  })

  it('G1 closes an expired token with 4401 and sends nothing', async () => {
    const peer = await connected(open(), ask(await tokenOf({ seconds: -1 })))
    expect(peer.closed).toEqual({ code: 4401, reason: 'expired' })
    expect(peer.received).toEqual([])
  })

  it('G1 opens with a ticket that the handshake carries outside its query', async () => {
    const proof = await tokenOf({ kind: 'ticket', seconds: 30 })
    expect((await connected(open(), ask(null, { proof }))).closed).toBeUndefined()
  })

  it.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.e30.', '0'.repeat(5_000)])(
    'G1 refuses the nonsense %j with 401 at the handshake',
    async (token) => {
      expect(await connect(open(), ask(token))).toBe(401)
    },
  )

  it('a socket is closed with 1013 while the site’s keys cannot be read, so that the client retries', async () => {
    const gateway = open({
      keys: async () => {
        throw new TypeError('fetch failed')
      },
    })
    expect((await connected(gateway, ask(await tokenOf()))).closed?.code).toBe(1013)
  })

  it.each([
    'https://evil.test',
    'null',
    'https://site.test.evil.test',
    'http://site.test',
    'https://site.test:444',
    'https://evilsite.test',
    'https://sub.site.test',
    'https://SITE.test',
    'https://site.test/',
    'capacitor://localhost.evil.test',
    'http://localhost',
    '',
  ])('G5 refuses the Origin %j with 403 at the handshake [case 130]', async (origin) => {
    expect(await connect(open(), ask(await tokenOf(), { origin }))).toBe(403)
  })

  it.each([undefined, 'capacitor://localhost', 'https://localhost'])(
    'G5 lets a client with the Origin %j in by its token alone',
    async (origin) => {
      const gateway = open()
      expect(await connect(gateway, ask(null, { origin }))).toBe(403)
      expect(await connect(gateway, ask('x', { origin }))).toBe(401)
      expect((await connected(gateway, ask(await tokenOf(), { origin }))).closed).toBeUndefined()
      expect((await connected(gateway, ask(null, { origin, proof: await tokenOf() }))).closed).toBeUndefined()
    },
  )

  it('G5 a refused Origin uses up no ticket [case 130]', async () => {
    const gateway = open()
    const ticket = await tokenOf({ kind: 'ticket', seconds: 30 })
    expect(await connect(gateway, ask(ticket, { origin: 'https://evil.test' }))).toBe(403)
    expect((await connected(gateway, ask(ticket))).closed).toBeUndefined()
  })
})

describe('limits', () => {
  it('a user’s eleventh socket is closed with 4429', async () => {
    const gateway = open()
    const userId = systemIds.next()
    const peers = []
    for (let i = 0; i < 11; i += 1) peers.push((await userSocket(gateway, userId)).peer)
    expect(peers.slice(0, 10).every((peer) => !peer.closed)).toBe(true)
    expect(peers[10]?.closed?.code).toBe(4429)
    peers[0]?.cut()
    expect((await userSocket(gateway, userId)).peer.closed).toBeUndefined()
  })

  it('an address is limited, also in a burst, and a closed socket frees its place', async () => {
    const gateway = open({ limits: { socketsPerAddress: 5 } })
    const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenOf()))
    const results = await Promise.all(tokens.map((token) => connect(gateway, ask(token))))
    expect(results.filter((result) => result === 429)).toHaveLength(3)
    const first = results.find((result) => typeof result !== 'number')
    if (typeof first === 'object') first.cut()
    expect(await connect(gateway, ask(await tokenOf()))).not.toBe(429)
    expect(await connect(gateway, ask(await tokenOf()))).toBe(429)
    expect(await connect(gateway, ask(await tokenOf(), { address: '192.0.2.2' }))).not.toBe(429)
  })

  it('IPv6 is counted by /64', async () => {
    const gateway = open({ limits: { socketsPerAddress: 1 } })
    await connected(gateway, ask(await tokenOf(), { address: '2001:db8:1:2::1' }))
    expect(await connect(gateway, ask(await tokenOf(), { address: '2001:db8:1:2:ffff::2' }))).toBe(429)
    expect(await connect(gateway, ask(await tokenOf(), { address: '2001:db8:1:3::1' }))).not.toBe(429)
  })

  it('a refused token occupies no place of its address', async () => {
    const gateway = open({ limits: { socketsPerAddress: 2 } })
    for (let i = 0; i < 5; i += 1) expect(await connect(gateway, ask('x'))).toBe(401)
    expect((await connected(gateway, ask(await tokenOf()))).closed).toBeUndefined()
  })

  it.each([
    ['a message that no client sends', '{"event":"balance.change"}'],
    ['text that is no JSON', 'hello'],
  ])('a socket is closed with 4400 on %s', async (_name, text) => {
    const { peer } = await userSocket(open())
    peer.sendText(text)
    expect(peer.closed?.code).toBe(4400)
  })

  it('a client that floods is closed, and the others are not affected', async () => {
    const gateway = open()
    const [loud, quiet] = [await userSocket(gateway), await userSocket(gateway)]
    for (let i = 0; i < 1_000; i += 1) loud.peer.send({ event: 'pong' })
    expect(loud.peer.closed).toEqual({ code: 4400, reason: 'too many messages' })
    expect(quiet.peer.closed).toBeUndefined()
  })

  it('G7 closes a slow reader with 4408, and delays nobody else', async () => {
    const gateway = open({ limits: { bufferedBytes: 2_000 } })
    const userId = systemIds.next()
    const [slow, fast] = [await userSocket(gateway, userId), await userSocket(gateway, userId)]
    slow.peer.stopReading()
    for (let i = 0; i < 60; i += 1) await send([userId], balance(i))
    expect((await slow.peer.untilClosed()).code).toBe(4408)
    await waitFor('all events', () => fast.peer.received.length === 60)
    expect(fast.peer.closed).toBeUndefined()
  })
})

describe('events', () => {
  it('G3 brings an event to every socket of its reader, in order, and to nobody else', async () => {
    const [one, two] = [open(), open()]
    const userId = systemIds.next()
    const readers = [await userSocket(one, userId), await userSocket(two, userId)]
    const other = await userSocket(one)
    for (let i = 1; i <= 5; i += 1) await send([userId], balance(i))
    for (const { peer } of readers) {
      await waitFor('the events', () => peer.received.length === 5)
      expect(peer.received).toEqual([1, 2, 3, 4, 5].map(balance))
    }
    expect(other.peer.received).toEqual([])
  })

  it('G2 pings, and closes a client that misses two', async () => {
    const { peer } = await userSocket(open({ limits: { pingMs: 20 } }))
    const alive = await userSocket(open({ limits: { pingMs: 20 } }))
    const timer = setInterval(() => alive.peer.pong(), 5)
    expect((await peer.untilClosed()).reason).toBe('no answer')
    expect(peer.received.filter(({ event }) => event === 'ping')).toHaveLength(2)
    await waitFor('more pings', () => alive.peer.received.length > 5)
    clearInterval(timer)
    expect(alive.peer.closed).toBeUndefined()
  })

  it('G6 sends resync to every socket after a gap of the bus', async () => {
    const { peer } = await userSocket(open())
    await database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'listen:bakter_events'`,
    )
    expect(await peer.next('resync', ({ event }) => event === 'resync')).toEqual({ event: 'resync', data: {} })
  })
})

describe('the end of a session', () => {
  const end = (userId: string, sessionId: string | null) =>
    endSessions({ ...testContext(database.db), bus }, { userId, sessionId })

  it('G4 logout is the last event, then the socket closes with 4401; other sessions stay', async () => {
    const gateway = open()
    const mine = await userSocket(gateway)
    const sibling = await userSocket(gateway, mine.userId)
    await end(mine.userId, mine.sessionId)
    expect(await mine.peer.untilClosed()).toEqual({ code: 4401, reason: 'session ended' })
    expect(mine.peer.received.at(-1)).toEqual({ event: 'logout', data: {} })
    expect(sibling.peer.closed).toBeUndefined()
  })

  it('G4 all sessions of a user end at once', async () => {
    const gateway = open()
    const mine = await userSocket(gateway)
    const sibling = await userSocket(gateway, mine.userId)
    await end(mine.userId, null)
    for (const { peer } of [mine, sibling]) expect((await peer.untilClosed()).code).toBe(4401)
  })

  it('a token of an ended session opens no socket, though it has not expired', async () => {
    const gateway = open()
    const [userId, sessionId] = [systemIds.next(), systemIds.next()]
    const token = await tokenOf({ userId, sessionId })
    await end(userId, sessionId)
    expect((await connected(gateway, ask(token))).closed).toEqual({ code: 4401, reason: 'session-ended' })
  })

  it('a session that begins after all were ended opens its socket', async () => {
    const gateway = open()
    const { userId, peer } = await userSocket(gateway)
    await end(userId, null)
    await peer.untilClosed()
    expect((await userSocket(gateway, userId)).peer.closed).toBeUndefined()
  })

  it('an end that was lost on the way closes the socket after the gap', async () => {
    const { peer, userId, sessionId } = await userSocket(open())
    await database.owner.query(
      'insert into control.ended_sessions (id, user_id, session_id, ended_at) values ($1, $2, $3, now())',
      [systemIds.next(), userId, sessionId],
    )
    await database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'listen:bakter_events'`,
    )
    expect((await peer.untilClosed()).code).toBe(4401)
  })
})

describe('the gateway over a network', () => {
  it('a socket opens, is refused by HTTP status, and its query is never logged', async () => {
    const lines: string[] = []
    const note = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message)
    const log = { info: note, warn: note, error: note, debug: note, child: () => log } as Logger
    const metrics = createMetrics()
    const server = createServer((_request, response) => response.writeHead(404).end())
    const gateway = open({ log })
    const addressOf = () => '192.0.2.9'
    const door = openWebSocketDoor(server, { routes: { '/api/ws/gateway': gateway.route }, addressOf, log, metrics })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const base = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    const status = (path: string, origin?: string) =>
      new Promise<number | undefined>((done) => {
        const headers = {
          Connection: 'Upgrade',
          Upgrade: 'websocket',
          'Sec-WebSocket-Version': '13',
          'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
          ...(origin === undefined ? {} : { Origin: origin }),
        }
        httpRequest(`${base.replace('ws', 'http')}${path}`, { headers })
          .on('response', (response) => done(response.statusCode))
          .on('upgrade', (response, socket) => {
            socket.destroy()
            done(response.statusCode)
          })
          .end()
      })
    const token = await tokenOf()
    expect(await status(`/api/ws/gateway?token=${token}`, 'https://evil.test')).toBe(403)
    expect(await status('/api/ws/gateway')).toBe(403)
    expect(await status(`/api/ws/gateway?token=${token}`)).toBe(101)
    expect(await status(`/api/ws/elsewhere?token=${token}`, ORIGIN)).toBe(404)
    expect(await status(`/api/ws/gateway?token=${token}`, ORIGIN)).toBe(101)
    const socket = new WebSocket(`${base}/api/ws/gateway?token=${token}`, { origin: ORIGIN })
    await new Promise((done) => socket.once('open', done))
    const closed = new Promise<number>((done) => socket.once('close', done))
    socket.send('x'.repeat(2_000))
    expect(await closed).toBe(1009)
    await door.close()
    await new Promise((done) => server.close(done))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('\n')).not.toContain(token.slice(0, 20))
  })
})
