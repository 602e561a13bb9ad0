import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { generateKeyPairSync } from 'node:crypto'
import { addComputer } from '../../factories/fleet.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { programEnvironment, spawnProgram, startProgram, type TestProgram } from '../../factories/program.ts'
import { assertOwnListener } from '../../support/own-process.ts'
import { startTestRedis } from '../../support/redis.ts'

let database: PlatformDatabase
let program: TestProgram
beforeAll(async () => {
  database = await platformDatabase()
  program = await startProgram(database.url)
})
afterAll(async () => {
  await program.process.stop()
  await database.close()
})

const call = (name: string, body: object, secret?: string) =>
  fetch(`${program.internalUrl}/internal/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(secret ? { 'x-internal-secret': secret } : {}) },
    body: JSON.stringify(body),
  })

/** A store that a busy machine does not answer for in time is missing, until the next question. */
const readinessOf = async ({ internalUrl }: TestProgram): Promise<unknown> =>
  (await fetch(`${internalUrl}/health/ready`)).json()

it('the control plane is ready, alive and measured on its private port, and not on its public one', async () => {
  assertOwnListener(Number(new URL(program.internalUrl).port), program.process.pid)
  expect(await (await fetch(`${program.internalUrl}/health/live`)).json()).toEqual({ live: true })
  await expect.poll(() => readinessOf(program)).toEqual({ ready: true, missing: [] })
  expect(await (await fetch(`${program.internalUrl}/metrics`)).text()).toContain('bakter_outbox_waiting')
  const statuses = await Promise.all(
    ['/health/live', '/metrics', '/internal/account', '/', '/api'].map(
      async (path) => (await fetch(`${program.publicUrl}${path}`)).status,
    ),
  )
  expect(statuses).toEqual([404, 404, 404, 404, 404])
})

it('I1 the internal API responds to the right secret only', async () => {
  expect((await call('node-origins', {})).status).toBe(401)
  expect((await call('node-origins', {}, 'another secret of that length')).status).toBe(401)
  const computer = await addComputer(database.owner, 'http://127.0.0.1:18080')
  const answer = await call('node-origins', {}, program.env['INTERNAL_SECRET'])
  const origins = (await answer.json()) as { origins: string[]; gateway: string }
  expect(origins.origins).toContain('http://127.0.0.1:18080')
  expect(origins.gateway).toBe(`${program.publicUrl.replace('http', 'ws')}/api/ws/gateway`)
  await database.owner.query('delete from cms_api.computers where id = $1', [computer])
})

it('A2 an agent enrols over HTTP with a token of the internal API, once', async () => {
  const computerId = await addComputer(database.owner)
  const caller = {
    userId: computerId,
    sessionId: null,
    locale: 'en',
    address: '127.0.0.1',
    isAdmin: true,
    isSupport: false,
    isVerified: true,
  }
  const answer = await call('enrolment-token', { caller, computerId }, program.env['INTERNAL_SECRET'])
  const { token } = (await answer.json()) as { token: string }
  const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x
  const enrol = () =>
    fetch(`${program.publicUrl}/api/agent/enrol`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, publicKey, agentVersion: '1', hostname: 'h' }),
    })
  expect((await enrol()).status).toBe(200)
  expect((await enrol()).status).toBe(401)
  const customer = { ...caller, isAdmin: false }
  expect((await call('enrolment-token', { caller: customer, computerId }, program.env['INTERNAL_SECRET'])).status).toBe(
    403,
  )
})

it('sockets are closed with 1012 at SIGTERM, and the process ends', async () => {
  const other = await startProgram(database.url)
  const socket = new WebSocket(`${other.publicUrl.replace('http', 'ws')}/api/ws/agent`)
  await new Promise((done) => socket.once('message', done))
  const closed = new Promise<number>((done) => socket.once('close', done))
  other.process.signal('SIGTERM')
  expect(await closed).toBe(1012)
  expect(await other.process.ended).toEqual({ code: 0, signal: null })
})

it('the process ends when the supervisor that holds its standard input has ended', async () => {
  // The standard input of a process of these tests is closed from the start.
  const orphan = await spawnProgram(await programEnvironment(database.url, { BAKTER_SUPERVISED: '1' }))
  expect(await orphan.ended).toEqual({ code: 0, signal: null })
  expect(orphan.output()).toContain('the supervisor is gone')
})

it('a process runs only the requested services', async () => {
  const gateway = await startProgram(database.url, { args: ['--services=gateway'] })
  const answer = await fetch(`${gateway.internalUrl}/internal/node-origins`, { method: 'POST' })
  expect(answer.status).toBe(404)
  await gateway.process.stop()
  const wrong = await spawnProgram(await programEnvironment(database.url), ['--services=gateway,nonsense'])
  expect((await wrong.ended).code).toBe(78)
})

it('a port in use is reported in one sentence', async () => {
  const env = await programEnvironment(database.url, { CONTROL_PLANE_PORT: new URL(program.publicUrl).port })
  const second = await spawnProgram(env)
  expect((await second.ended).code).not.toBe(0)
  expect(second.output()).toContain(`Port ${new URL(program.publicUrl).port} of 127.0.0.1 is already in use.`)
})

it('the control plane is ready on Redis, and not ready on a Redis that evicts jobs', async () => {
  const redis = await startTestRedis()
  const onRedis = await startProgram(database.url, { env: { REDIS_URL: redis.url } })
  const { Redis } = await import('ioredis')
  const client = new Redis(redis.url)
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
  client.disconnect()
  await expect.poll(async () => JSON.stringify(await readinessOf(onRedis))).toContain('noeviction')
  expect((await fetch(`${onRedis.internalUrl}/health/ready`)).status).toBe(503)
  await onRedis.process.stop()
  await redis.stop()
})
