import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { trustFrom } from '#platform/client-address.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { openApiDoor } from '../../../src/server/api-door.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'
import { API_SITE, openApiOn } from '../../support/api-on-database.ts'
import { createIdentityDatabase } from '../../support/identity-context.ts'
import { PASSWORD } from '../../support/people.ts'
import { waitFor } from '../../support/wait-for.ts'

const HALF_BODIES = 60
/** As many sign-ins as one address may try at once. */
const GUESSES = 20

let opened: Awaited<ReturnType<typeof openApiOn>>
let site: Server
let port: number
const sockets: Socket[] = []

beforeAll(async () => {
  opened = await openApiOn(await createIdentityDatabase(), () => ({ status: 500, body: {} }))
  const say = () => {}
  const parts = createSiteListener({
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    api: openApiDoor(opened.api),
    next: () => Promise.reject(new Error('nobody asks for a page here')),
    isDevelopment: false,
    siteUrl: API_SITE,
    isStaff: () => Promise.resolve(false),
    isSecure: true,
    gatewayUrl: 'http://127.0.0.1:1',
    trust: trustFrom([]),
    nodeOrigins: { current: () => [], isDown: () => false },
    log: { info: say, warn: say, error: say, debug: say },
    metrics: createMetrics(),
    nowMs: () => 0,
  })
  site = parts.server
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  port = (site.address() as AddressInfo).port
  for (const username of ['anna', 'bela']) {
    const person = { username, email: `${username}@example.test`, password: PASSWORD, language: 'en' } as const
    expect(await register(opened.context, person, { address: '127.0.0.99', userAgent: 'test' })).toMatchObject({
      ok: true,
    })
  }
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await opened.close()
})

const headersOf = (body: string) => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  origin: API_SITE,
})

type Answer = {
  readonly status: number | undefined
  readonly retryAfter: string | undefined
  readonly body: string
}
/** Signs in from one of this machine's addresses. */
const signIn = async (from: string, username: string, password: string): Promise<Answer> => {
  const body = JSON.stringify({ username, password })
  const request = httpRequest({
    host: '127.0.0.1',
    localAddress: from,
    port,
    path: '/api/auth/login',
    method: 'POST',
    headers: headersOf(body),
    agent: false,
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { 'retry-after': retryAfter } = response.headers
  return { status: response.statusCode, retryAfter, body: Buffer.concat(chunks).toString() }
}

/** Declares a body of 50 bytes and sends one. */
const sendHalf = async (from: string, path: string): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: bakter.test\r\norigin: ${API_SITE}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{`,
  )
  return socket
}

test('60 half bodies from one address hold no place of the line: another address signs in before the first is given up (S1)', async () => {
  expect(await signIn('127.0.0.3', 'anna', PASSWORD)).toMatchObject({ status: 200 })
  const halves = await Promise.all(
    Array.from({ length: HALF_BODIES }, (_, at) =>
      sendHalf('127.0.0.2', at % 2 === 0 ? '/api/auth/login' : '/api/auth/register'),
    ),
  )
  let givenUp = 0
  for (const half of halves) half.once('data', () => (givenUp += 1))
  expect(await signIn('127.0.0.3', 'anna', PASSWORD)).toMatchObject({ status: 200 })
  // A place of the line would be held until the site gives the body up.
  expect(givenUp).toBe(0)
})

test('a flood of complete guesses from one address delays another address by one of them (S1)', async () => {
  let answered = 0
  const flood = Array.from({ length: GUESSES }, (_, at) =>
    signIn('127.0.0.4', `nobody${at}`, 'a wrong password').finally(() => (answered += 1)),
  )
  await waitFor('the first guess to be answered', () => answered > 0)
  const before = answered
  expect(await signIn('127.0.0.5', 'bela', PASSWORD)).toMatchObject({ status: 200 })
  // Without turns of the addresses it would be all of them. How many are answered beside it depends on the machine.
  expect(answered - before).toBeLessThan(GUESSES / 2)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(GUESSES)
})

test('a sign-in that gets no connection of a busy database is told when to come back, and is no failure of ours (S3)', async () => {
  const { db } = opened.context
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  // As many as the pool has connections.
  const holders = Array.from({ length: 10 }, () =>
    db.transaction(async (tx) => void (await tx.query('select 1'), await gate)),
  )
  try {
    const answers = await Promise.all(['127.0.0.6', '127.0.0.7'].map((from) => signIn(from, 'anna', PASSWORD)))
    expect(answers).toMatchObject([
      { status: 503, retryAfter: '2' },
      { status: 503, retryAfter: '2' },
    ])
  } finally {
    letGo()
    await Promise.all(holders)
  }
  expect(await signIn('127.0.0.6', 'anna', PASSWORD)).toMatchObject({ status: 200 })
})

test('an address with more sign-ins than its places is refused beyond them, and another address is not (S1)', async () => {
  // The bucket of an address gets one more try every few seconds.
  vi.spyOn(opened.context.clock, 'now').mockReturnValue(Date.now())
  const flood = Array.from({ length: 60 }, (_, at) => signIn('127.0.0.8', `nobody${at}`, 'a wrong password'))
  const other = await signIn('127.0.0.9', 'bela', PASSWORD)
  const answers = await Promise.all(flood)
  expect(other.status).toBe(200)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every(({ retryAfter, body }) => retryAfter === '5' && 'error' in JSON.parse(body))).toBe(true)
  // The bucket of the address lets 20 of those that waited try.
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
})
