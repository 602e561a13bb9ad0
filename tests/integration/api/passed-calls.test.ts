import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import type { ApiRouteName } from '#contracts/routes/routes.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

const SERVER = '0192aaaa-0000-7000-8000-000000000005'
const calls: { path: string; body: Record<string, unknown> }[] = []
let answer: unknown = {}
const controlPlane = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    calls.push({
      path: request.url ?? '',
      body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
    })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
})

let site: OpenSite
let headers: Record<string, string>
beforeAll(async () => {
  await new Promise<void>((done) => controlPlane.listen(0, '127.0.0.1', done))
  site = await openSite(`http://127.0.0.1:${(controlPlane.address() as AddressInfo).port}`)
  const names = { username: 'customer', email: 'customer@example.test', acceptTerms: true }
  await site.ask('POST /api/auth/register', { body: { ...names, password: PASSWORD, passwordConfirm: PASSWORD } })
  const { json } = await site.ask('POST /api/auth/login', { body: { username: 'customer', password: PASSWORD } })
  headers = { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` }
})
afterAll(async () => {
  await site.close()
  controlPlane.closeAllConnections()
  controlPlane.close()
})

const askedFor = async (name: ApiRouteName, sent: Parameters<OpenSite['ask']>[1]) => {
  calls.length = 0
  await site.ask(name, { headers: { ...headers, 'idempotency-key': 'key-of-the-test' }, id: SERVER, ...sent })
  const [call] = calls
  const { caller, ...asked } = call?.body ?? {}
  return { path: call?.path, asked, caller }
}

test.each([
  ['POST /api/server/{id}/power', { body: { action: 'start' } }, 'power', { serverId: SERVER, action: 'start' }],
  ['GET /api/server/{id}', {}, 'server', { serverId: SERVER }],
  ['GET /api/server/{id}/renewal', { search: '?months=3' }, 'renewal-quote', { serverId: SERVER, months: 3 }],
  ['GET /api/balance/transactions', { search: '?limit=7' }, 'transactions', { limit: 7 }],
  ['GET /api/premium', {}, 'premium', {}],
] as const)('%s forwards its id, query and input under the names of its call', async (name, sent, call, asked) => {
  const passed = await askedFor(name, sent)
  expect([passed.path, passed.asked]).toEqual([`/internal/${call}`, asked])
})

test('an invalid input is not forwarded', async () => {
  expect((await askedFor('POST /api/spin', { body: { clientSeed: '' } })).path).toBeUndefined()
})

test('the caller is the signed-in person, whatever the input contains', async () => {
  const forged = { isAdmin: true, userId: SERVER }
  const { asked, caller } = await askedFor('POST /api/server/{id}/power', {
    body: { action: 'start', caller: forged, serverId: '0192aaaa-0000-7000-8000-000000000009' },
  })
  expect(asked).toEqual({ serverId: SERVER, action: 'start' })
  expect(caller).toMatchObject({ isAdmin: false, isSupport: false, locale: 'en' })
})

test('a response has only the fields of its contract, and one outside the contract is a failure', async () => {
  answer = { accepted: true, commandId: SERVER, hash: 'canary' }
  const good = await site.ask('POST /api/server/{id}/power', { headers, body: { action: 'start' }, id: SERVER })
  expect([good.status, good.json]).toEqual([202, { accepted: true, commandId: SERVER }])
  answer = { accepted: 'perhaps' }
  const bad = await site.ask('POST /api/server/{id}/power', { headers, body: { action: 'start' }, id: SERVER })
  expect(bad.status).toBe(500)
  answer = {}
})
