import { generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, exportJWK } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { GatewayMessage } from '#contracts/gateway/events.ts'
import { systemIds } from '#platform/ids.ts'
import { BrowserGateway } from '../../../control-plane/api/gateway/browser-gateway.ts'
import { openPostgresBus, type EventBus } from '../../../control-plane/platform/event-bus.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { addNode, addServer, makeReachable } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { siteTokens } from '../../factories/site-token.ts'
import { socketPair } from '../../support/socket-pair.ts'
import { waitFor } from '../../support/wait-for.ts'

const KID = 'site-key'
const ORIGIN = 'https://site.test'
const pair = generateKeyPairSync('ed25519')
const tokenOf = siteTokens({ key: pair.privateKey, kid: KID })

let database: PlatformDatabase
let bus: EventBus
beforeAll(async () => {
  database = await platformDatabase()
  bus = await openPostgresBus(testContext(database.db))
})
afterAll(async () => {
  await bus.close()
  await database.close()
})

const openGateway = async (beforeRead: () => Promise<void> = async () => {}) => {
  const query: typeof database.db.query = async (text, values) => {
    if (text.includes('control_api.servers')) await beforeRead()
    return database.db.query(text, values)
  }
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: KID, alg: 'EdDSA', use: 'sig' }
  return new BrowserGateway({
    ...testContext({ ...database.db, query }),
    bus,
    metrics: createMetrics(),
    keys: createLocalJWKSet({ keys: [jwk] }),
    origins: [ORIGIN],
  })
}

const connect = async (gateway: BrowserGateway, userId: string) => {
  const token = await tokenOf({ userId, sessionId: systemIds.next() })
  const query = new URLSearchParams({ token })
  const answer = await gateway.route.answer({ path: '', query, origin: ORIGIN, address: '192.0.2.1' })
  if ('refuse' in answer) throw new Error(answer.reason)
  const { socket, peer } = socketPair<GatewayMessage>()
  answer.accept(socket)
  return peer
}

const stateOf = (sid: string, state: string) => ({ event: 'server.state.change', data: { sid, state } })

const fleet = async () => {
  const { nodeId } = await addNode(database.owner)
  await makeReachable(database.owner, nodeId)
  const { id, ownerId } = await addServer(database.owner, nodeId, { installed: true, state: 'running' })
  return { nodeId, id, ownerId }
}

it('G9 a socket that opens gets the states of own and shared servers, and of nobody else’s', async () => {
  const { nodeId, id, ownerId } = await fleet()
  const foreign = await addServer(database.owner, nodeId, { installed: true, state: 'crashed' })
  const shared = await addServer(database.owner, nodeId, { installed: true, state: 'running', suspended: true })
  const away = await addServer(database.owner, (await addNode(database.owner)).nodeId, { installed: true, ownerId })
  await database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{}', now())`,
    [shared.id, ownerId],
  )
  const gateway = await openGateway()
  const peer = await connect(gateway, ownerId)
  await waitFor('the states', () => peer.received.length === 3)
  expect(peer.received).toEqual([
    stateOf(away.id, 'nodeoffline'),
    stateOf(shared.id, 'suspended'),
    stateOf(id, 'running'),
  ])
  const other = await connect(gateway, foreign.ownerId)
  await waitFor('the state', () => other.received.length === 1)
  expect(other.received).toEqual([stateOf(foreign.id, 'crashed')])
  await gateway.close()
})

it('G9 a state that the bus brings before the states are read is not followed by an older one', async () => {
  const { id, ownerId } = await fleet()
  const second = (await fleet()).id
  await database.owner.query('update control.servers set owner_id = $2 where id = $1', [second, ownerId])
  let read = () => {}
  const mayRead = new Promise<void>((done) => (read = done))
  const gateway = await openGateway(() => mayRead)
  const peer = await connect(gateway, ownerId)
  const message = stateOf(id, 'stopping')
  await bus.publish({ topic: 'browser-event', data: { userIds: [ownerId], message } })
  await waitFor('the event', () => peer.received.length === 1)
  read()
  await waitFor('the states', () => peer.received.length === 2)
  expect(peer.received).toEqual([message, stateOf(second, 'running')])
  await gateway.close()
})

it('G9 a page whose states could not be read reads everything again', async () => {
  const gateway = await openGateway(() => Promise.reject(new Error('no database')))
  const peer = await connect(gateway, systemIds.next())
  await waitFor('an answer', () => peer.received.length > 0)
  expect(peer.received).toEqual([{ event: 'resync', data: {} }])
  await gateway.close()
})
