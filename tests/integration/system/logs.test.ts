import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod'

import { GatewayTicketAnswer, TokenAnswer } from '../../../src/contracts/http/auth.ts'
import { TopupAnswer } from '../../../src/contracts/http/balance.ts'
import { OrderAnswer } from '../../../src/contracts/http/order.ts'
import { ConsoleAccess } from '../../../src/contracts/http/server.ts'
import { Service } from '../../../src/contracts/http/service.ts'
import { startDemo, type Demo } from '../../support/demo.ts'
import { waitFor } from '../../support/wait-for.ts'

const home = mkdtempSync(join(tmpdir(), 'bakter-logs-'))
let demo: Demo
beforeAll(async () => {
  // The tests stand where a proxy stands in production, and every program writes all that it ever would.
  const env = { TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'debug' }
  demo = await startDemo({ dataDir: join(home, 'data'), env })
})
afterAll(async () => {
  await demo.stop()
  rmSync(home, { recursive: true, force: true })
})

type Sent = { headers?: Record<string, string>; body?: unknown; address?: string }

const send = (method: string, path: string, { headers, body, address = '203.0.113.7' }: Sent = {}) =>
  fetch(new URL(path, demo.file.url), {
    method,
    redirect: 'manual',
    headers: {
      ...{ origin: demo.file.url, 'x-forwarded-for': address, 'idempotency-key': randomUUID() },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const canary = (name: string) => `canary-${name}-${randomBytes(12).toString('hex')}`

/** Opens a socket, says what is to be said and waits for the first message. */
const talk = async (address: string, first?: object): Promise<void> => {
  const socket = new WebSocket(address, { origin: demo.file.url })
  const answered = new Promise<void>((done, fail) => {
    socket.once('message', () => done())
    socket.once('error', fail)
    socket.once('close', (code) => fail(new Error(`closed with ${code}`)))
  })
  socket.once('open', () => {
    if (first) socket.send(JSON.stringify(first))
  })
  await answered
  socket.terminate()
}

const newcomer = () => {
  const password = canary('password')
  const username = `canary-${randomBytes(4).toString('hex')}`
  return { username, password, passwordConfirm: password, email: `${username}@example.com`, acceptTerms: true }
}

/** Registers, pays, rents, looks at the console and leaves. Answers every secret that was sent or given out on the way. */
const journey = async (): Promise<Record<string, string>> => {
  const person = newcomer()
  expect((await send('POST', '/api/auth/register', { body: person })).status).toBe(201)
  const wrong = canary('wrong-password')
  await send('POST', '/api/auth/login', { body: { username: person.username, password: wrong } })
  const login = await send('POST', '/api/auth/login', { body: person })
  const tokens = TokenAnswer.parse(await login.json())
  const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const { ticket } = GatewayTicketAnswer.parse(
    await (await send('GET', '/api/auth/gateway-ticket', { headers })).json(),
  )
  await talk(`${demo.file.url.replace('http', 'ws')}/api/ws/gateway?token=${ticket}`)

  const topup = { amount: 5_000, method: 'sandbox', acceptTerms: true }
  const { redirectUrl } = TopupAnswer.parse(
    await (await send('POST', '/api/balance/topup', { headers, body: topup })).json(),
  )
  await fetch(redirectUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(redirectUrl).origin },
    body: new URLSearchParams({ decision: 'succeed' }),
  })
  const balance = async () => (await (await send('GET', '/api/balance', { headers })).json()) as { balanceFt: number }
  await waitFor('the money', async () => (await balance()).balanceFt === 5_000)
  const services = z.array(Service).parse(await (await send('GET', '/api/services', { headers })).json())
  const bot = services.find(({ slug }) => slug === 'bot')
  const order = { serviceId: bot?.id, packageId: bot?.packages[0]?.id, months: 1, name: 'Watchman' }
  const { server } = OrderAnswer.parse(await (await send('POST', '/api/orders', { headers, body: order })).json())
  const access = ConsoleAccess.parse(await (await send('GET', `/api/server/${server.id}/ws`, { headers })).json())
  await talk(`${access.url.replace('http', 'ws')}${access.socket}`, { event: 'auth', args: [access.token] })

  const [inQuery, inCookie, inHeader] = [canary('query'), canary('cookie'), canary('authorization')]
  await send('GET', `/en?token=${inQuery}`, { headers: { cookie: `bakter_access=${inCookie}` } })
  await send('GET', `/api/user/me?token=${inQuery}`, { headers: { authorization: `Bearer ${inHeader}` } })
  const refreshed = TokenAnswer.parse(
    await (await send('POST', '/api/auth/refresh', { body: { refresh_token: tokens.refresh_token } })).json(),
  )
  await send('POST', '/api/auth/logout', { headers, body: { all: true } })
  return {
    ...{ password: person.password, wrong, ticket, inQuery, inCookie, inHeader, consoleToken: access.token },
    ...{ accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
    ...{ newAccessToken: refreshed.access_token, newRefreshToken: refreshed.refresh_token },
    ...Object.fromEntries(cookies.map((cookie) => [cookie.split('=')[0] ?? '', cookie.slice(cookie.indexOf('=') + 1)])),
  }
}

const logs = (): Record<string, string> => {
  const folder = join(demo.dataDir, 'logs')
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

describe('the logs of a whole journey', () => {
  test('hold no password, token, cookie, ticket or secret (case 158)', async () => {
    const given = await journey()
    const own = JSON.parse(readFileSync(join(demo.dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
    const secrets = Object.entries({ ...given, ...own }).filter(([, value]) => value.length >= 12)
    // Lines of the journey are there: what is looked through is what was written.
    await waitFor('the lines of the journey', () => {
      const { 'site.log': site = '', 'control-plane.log': controlPlane = '', 'agent.log': agent = '' } = logs()
      return (
        site.includes('"path":"/api/auth/logout"') &&
        site.includes('"path":"/api/ws/gateway"') &&
        controlPlane.includes('order placed') &&
        agent !== ''
      )
    })
    expect(secrets.length).toBeGreaterThan(15)
    const hits = Object.entries(logs()).flatMap(([log, text]) =>
      secrets.filter(([, value]) => text.includes(value)).map(([name]) => `${name} in ${log}`),
    )
    expect(hits).toEqual([])
    const said = Object.entries(given).filter(([, value]) => demo.supervisor.output().includes(value))
    expect(said).toEqual([])
  })
})

describe('limits by address', () => {
  test('two addresses of one /64 share a bucket, and a neighbouring network has its own', async () => {
    const login = async (address: string) => {
      const body = { username: canary('nobody').slice(0, 30), password: 'a wrong password' }
      return (await send('POST', '/api/auth/login', { body, address })).status
    }
    for (let at = 0; at < 10; at += 1) {
      expect(await login(`2001:db8:1:2::${at + 1}`)).toBe(401)
      expect(await login(`2001:db8:1:2:ffff:${at}:0:1`)).toBe(401)
    }
    expect(await login('2001:db8:1:2:abcd::1')).toBe(429)
    expect(await login('2001:db8:1:3::1')).toBe(401)
  })
})
