import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { PASSWORD } from '../../support/people.ts'
import { cookieHeader, openSite, SITE } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

/** The control plane's part of these calls, which may be away, or break off in the middle of an export. */
const controlPlane = { isAway: true, breaksAt: Number.POSITIVE_INFINITY, pages: 0 }
const ANSWERS: Readonly<Record<string, object>> = {
  '/internal/account': { balance: 990, premium: 'none', premiumExpiry: null, spinCount: 0 },
  '/internal/departure': { balanceFt: 990, openOrders: 0, openPayments: 0, servers: [] },
  '/internal/export-person': { rows: [{ kind: 'a row of the control plane' }], next: null },
}
const server = createServer((request, response) => {
  if (request.url === '/internal/export-person') controlPlane.pages += 1
  const isAway = controlPlane.isAway || controlPlane.pages > controlPlane.breaksAt
  response.writeHead(isAway ? 500 : 200, { 'content-type': 'application/json' })
  response.end(isAway ? '' : JSON.stringify(ANSWERS[request.url ?? ''] ?? {}))
})

let site: OpenSite
let headers: Record<string, string>
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  site = await openSite(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const names = { username: 'customer', email: 'customer@example.test' }
  const body = { ...names, password: PASSWORD, passwordConfirm: PASSWORD, acceptTerms: true }
  await site.ask('POST /api/auth/register', { body })
  headers = await signIn()
})
afterAll(async () => {
  await site.close()
  server.closeAllConnections()
  server.close()
})

const signIn = async () => {
  const { json } = await site.ask('POST /api/auth/login', { body: { username: 'customer', password: PASSWORD } })
  return { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` }
}

const codeOf = ({ json }: { json: Record<string, unknown> }) => (json['error'] as { code?: string } | undefined)?.code

const exportFile = async () => {
  const sent = { 'content-type': 'application/json', 'x-bakter-address': '10.8.0.1', origin: SITE, ...headers }
  const request = new Request(`${SITE}/api/user/export`, {
    method: 'POST',
    headers: sent,
    body: JSON.stringify({ password: PASSWORD }),
  })
  return site.send(request)
}

test('without the control plane neither export nor deletion begins, and the response says so', async () => {
  const proof = { password: PASSWORD }
  for (const name of ['POST /api/user/export', 'POST /api/user/deletion', 'GET /api/user/deletion'] as const) {
    expect([name, codeOf(await site.ask(name, { headers, body: proof }))]).toEqual([name, 'CONTROL_PLANE_UNAVAILABLE'])
  }
  expect(await site.identity.db.query('select 1 from identity.account_deletions')).toEqual([])
})

test('the export is an uncached file, streamed while it is written', async () => {
  controlPlane.isAway = false
  const response = await exportFile()
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'private, no-store',
    'content-disposition': 'attachment; filename="bakter-customer.json"',
    'content-type': 'application/json; charset=utf-8',
  })
  const { tables } = (await response.json()) as { tables: Record<string, unknown[]> }
  expect(tables['control.orders']).toEqual([{ kind: 'a row of the control plane' }])
  expect(tables['public.users']).toMatchObject([{ username: 'customer' }])
})

test('an interrupted export is not a file', async () => {
  controlPlane.breaksAt = controlPlane.pages + 3
  const response = await exportFile()
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow('CONTROL_PLANE_UNAVAILABLE')
  controlPlane.breaksAt = Number.POSITIVE_INFINITY
})

test('exports are limited', async () => {
  const statuses = []
  for (let time = 0; time < 7; time += 1) statuses.push((await exportFile()).status)
  expect(statuses.at(-1)).toBe(429)
  await site.identity.db.query('truncate identity.limit_buckets')
})

test('a deletion ends access, the sign-in offers to cancel it, and cancelling needs one proof', async () => {
  const body = { password: PASSWORD }
  expect(codeOf(await site.ask('POST /api/user/deletion', { headers, body }))).toBe('BALANCE_NOT_WAIVED')
  const left = await site.ask('POST /api/user/deletion', { headers, body: { ...body, waiveBalanceFt: 990 } })
  expect(left.status).toBe(202)
  expect(left.cookies.every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
  expect((await site.ask('GET /api/user/me', { headers })).status).toBe(401)
  const offered = await site.ask('POST /api/auth/login', { body: { username: 'customer', password: PASSWORD } })
  expect([offered.status, codeOf(offered)]).toEqual([403, 'ACCOUNT_LEAVING'])
  const { params } = offered.json['error'] as { params: { challenge: string; eraseAt: string } }
  expect(params.eraseAt).toBe(left.json['eraseAt'])
  const cookie = { cookie: cookieHeader(offered.cookies) }
  const undo = (asked: object, sent = {}) => site.ask('POST /api/auth/deletion/undo', { headers: sent, body: asked })
  expect(codeOf(await undo({}))).toBe('BAD_REQUEST')
  expect(codeOf(await undo({ token: 'x', challenge: params.challenge }, cookie))).toBe('BAD_REQUEST')
  expect(codeOf(await undo({ challenge: params.challenge }))).toBe('LINK_INVALID')
  expect((await undo({ challenge: params.challenge }, cookie)).status).toBe(200)
  expect(codeOf(await undo({ challenge: params.challenge }, cookie))).toBe('LINK_INVALID')
  headers = await signIn()
  expect((await site.ask('GET /api/user/me', { headers })).status).toBe(200)
})
