import { generateKeyPairSync } from 'node:crypto'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { publicApp } from '../../../control-plane/api/gateway/public-app.ts'
import { createEnrolmentToken, enrolNode } from '../../../control-plane/servers/nodes/enrol-node.ts'
import { openPostgresBus, type EventBus } from '../../../control-plane/platform/event-bus.ts'
import { createMetrics, type Metrics } from '../../../control-plane/platform/metrics.ts'
import { addComputer, addServer } from '../../factories/fleet.ts'
import { openHub } from '../../factories/hub.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { ManualClock } from '../../setup/manual-clock.ts'
import { FakeAgent } from '../../support/fake-agent.ts'

let database: PlatformDatabase
let bus: EventBus
let computerId: string
let metrics: Metrics
beforeAll(async () => {
  database = await platformDatabase()
  bus = await openPostgresBus(testContext(database.db))
})
beforeEach(async () => {
  computerId = await addComputer(database.owner)
  metrics = createMetrics()
})
afterAll(async () => {
  await bus.close()
  await database.close()
})

const deps = (overrides: Parameters<typeof testContext>[1] = {}) => ({
  ...testContext(database.db, overrides),
  bus,
  metrics,
})
const newKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { publicKey: publicKey.export({ format: 'jwk' }).x ?? '', privateKey }
}
const tokenFor = async (clock?: ManualClock) => {
  const made = await createEnrolmentToken(deps(clock ? { clock } : {}), computerId)
  if (!made.ok) throw new Error(made.code)
  return made.token
}
const request = (token: string, publicKey = newKey().publicKey) => ({
  token,
  publicKey,
  agentVersion: '1',
  hostname: 'host',
})
const nodes = () =>
  database.owner.query<{ id: string; public_key: string }>(
    'select id, public_key from control.nodes where computer_id = $1',
    [computerId],
  )

it('A2 a token enrols one node, and only its hash is stored', async () => {
  const token = await tokenFor()
  const key = newKey()
  const answer = await enrolNode(deps(), request(token, key.publicKey))
  expect(answer).toMatchObject({ ok: true })
  expect(await nodes()).toEqual([{ id: answer.ok ? answer.value.nodeId : '', public_key: key.publicKey }])
  const stored = JSON.stringify(
    await database.owner.query(`select encode(token_hash, 'escape') as h, * from control.enrolment_tokens`),
  )
  expect(stored).not.toContain(token)
})

it('A2 one of twenty simultaneous uses succeeds, and its key is stored', async () => {
  const token = await tokenFor()
  const keys = Array.from({ length: 20 }, newKey)
  const answers = await Promise.all(keys.map(({ publicKey }) => enrolNode(deps(), request(token, publicKey))))
  const winners = answers.flatMap((answer, i) => (answer.ok ? [keys[i]?.publicKey] : []))
  expect(winners).toHaveLength(1)
  expect((await nodes()).map((node) => node.public_key)).toEqual(winners)
})

it('A2 a second use changes nothing', async () => {
  const token = await tokenFor()
  await enrolNode(deps(), request(token))
  const before = await nodes()
  expect(await enrolNode(deps(), request(token))).toEqual({ ok: false, code: 'INVALID_TOKEN' })
  expect(await nodes()).toEqual(before)
})

it('A2 a token expires after 15 minutes', async () => {
  const clock = new ManualClock()
  const token = await tokenFor(clock)
  clock.advance(15 * 60_000)
  expect(await enrolNode(deps({ clock }), request(token))).toEqual({ ok: false, code: 'INVALID_TOKEN' })
  const other = await tokenFor(clock)
  clock.advance(15 * 60_000 - 1)
  expect(await enrolNode(deps({ clock }), request(other))).toMatchObject({ ok: true })
})

it('A2 an unknown token is refused', async () => {
  expect(await enrolNode(deps(), request('x'.repeat(43)))).toEqual({ ok: false, code: 'INVALID_TOKEN' })
})

it('a failure after the token is taken leaves the token unused', async () => {
  const token = await tokenFor()
  const faults = async (name: string) => {
    if (name === 'enrol.after-token') throw new Error('crash')
  }
  await expect(enrolNode(deps({ faults }), request(token))).rejects.toThrow('crash')
  expect(await enrolNode(deps(), request(token))).toMatchObject({ ok: true })
})

const alarms = () => metrics.registry.getSingleMetricAsString('bakter_agent_alarms_total')
const post = async (body: object) => {
  const { clock, log } = deps()
  const app = publicApp({ clock, log, payments: new Hono(), enrol: (asked) => enrolNode(deps(), asked) })
  const request = new Request('http://public.test/api/agent/enrol', { method: 'POST', body: JSON.stringify(body) })
  const answer = await app.fetch(request, { address: '192.0.2.1' })
  return { status: answer.status, body: (await answer.json()) as { error?: { code: string } } }
}

it('A20 the key of another computer is refused with 409 and an alarm, and the token stays valid', async () => {
  const key = newKey()
  expect(await enrolNode(deps(), request(await tokenFor(), key.publicKey))).toMatchObject({ ok: true })
  const before = await nodes()
  computerId = await addComputer(database.owner)
  const token = await tokenFor()
  expect(await post(request(token, key.publicKey))).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT' } },
  })
  expect(await alarms()).toContain('kind="key-in-use"} 1')
  expect(await nodes()).toEqual([])
  expect((await post(request(token))).status).toBe(200)
  expect(await database.owner.query('select 1 from control.nodes where public_key = $1', [key.publicKey])).toHaveLength(
    before.length,
  )
})

it('A20 one of two computers that present one key at once enrols', async () => {
  const key = newKey()
  const tokens = [await tokenFor()]
  for (let i = 0; i < 5; i += 1) {
    computerId = await addComputer(database.owner)
    tokens.push(await tokenFor())
  }
  const answers = await Promise.all(tokens.map((token) => post(request(token, key.publicKey))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
})

it('A20 without a valid token nobody learns whether a key is known', async () => {
  const key = newKey()
  await enrolNode(deps(), request(await tokenFor(), key.publicKey))
  computerId = await addComputer(database.owner)
  const known = await post(request('x'.repeat(43), key.publicKey))
  const unknown = await post(request('x'.repeat(43)))
  expect(known).toMatchObject({ status: 401, body: { error: { code: unknown.body.error?.code } } })
  expect([unknown.status, await nodes()]).toEqual([401, []])
})

it.each([{ agentVersion: '1\u0000' }, { hostname: 'a\u0000b' }, { hostname: 'a\nb' }])(
  'text that the database or the log cannot store is answered with 400: %j',
  async (change) => {
    const token = await tokenFor()
    const before = await nodes()
    expect((await post({ ...request(token), ...change })).status).toBe(400)
    expect(await nodes()).toEqual(before)
    // The token is still unused.
    expect((await post(request(token))).status).toBe(200)
  },
)

it('no token is created for a computer that does not exist', async () => {
  expect(await createEnrolmentToken(deps(), '00000000-0000-7000-8000-000000000000')).toEqual({
    ok: false,
    code: 'NOT_FOUND',
  })
})

it('a computer that enrols again keeps its node and servers; the old key is invalid and its session ends', async () => {
  const hub = await openHub(database)
  const [oldKey, key] = [newKey(), newKey()]
  const first = await enrolNode(deps(), request(await tokenFor(), oldKey.publicKey))
  if (!first.ok) throw new Error(first.code)
  const { nodeId } = first.value
  const { id } = await addServer(database.owner, nodeId, { installed: true, power: 'stopped' })
  const old = new FakeAgent({ nodeId, privateKey: oldKey.privateKey })
  const oldPeer = await old.connectLive(hub.accept)
  old.state(id, { state: 'offline', installed: true, generation: 1 })
  await oldPeer.next('the acknowledgement', ({ type }) => type === 'ack')
  const again = await enrolNode(deps(), request(await tokenFor(), key.publicKey))
  expect(again).toEqual(first)
  expect((await oldPeer.untilClosed()).code).toBe(4410)
  const refused = await old.connect(hub.accept)
  expect(await refused.next('the refusal', ({ type }) => type === 'refused')).toMatchObject({ code: 'BAD_SIGNATURE' })
  const agent = new FakeAgent({ nodeId, privateKey: key.privateKey })
  const peer = await agent.connectLive(hub.accept)
  expect(peer.received.find(({ type }) => type === 'welcome')).toMatchObject({ acknowledgedSeq: 0, servers: [{ id }] })
  await hub.close()
})
