import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { AGED_PATHS, STALE_AFTER_MS } from '#contracts/control-api/freshness.ts'
import { API_ROUTES, type ApiRouteName } from '#contracts/routes/routes.ts'
import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite, type OpenSite } from '../../support/site-routes.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The site's calls to the control plane, and its answer: nothing, as one that is down. */
const asked: string[] = []
const controlPlane = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.writeHead(503).end()
})
let site: OpenSite
beforeAll(async () => {
  controlPlane.listen(0, '127.0.0.1')
  await once(controlPlane, 'listening')
  site = await openSite(`http://127.0.0.1:${(controlPlane.address() as AddressInfo).port}`)
})
afterAll(async () => {
  await site.close()
  controlPlane.closeAllConnections()
  controlPlane.close()
})
beforeEach(() => void asked.splice(0))

const NAMES = AGED_PATHS.map((path) => `GET ${path}` as ApiRouteName)

let people = 0
const signUp = async () => {
  const username = `reader-${(people += 1)}`
  const person = { username, email: `${username}@example.test`, password: PASSWORD, passwordConfirm: PASSWORD }
  await site.ask('POST /api/auth/register', { body: { ...person, acceptTerms: true } })
  const { json } = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD } })
  const headers = { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` }
  const { json: me } = await site.ask('GET /api/user/me', { headers })
  return { headers, id: String(me['id']) }
}

const beatBefore = (ms: number) =>
  site.identity.db.query(
    `insert into control.heartbeat (beaten_at, stored_at, payment_methods)
     select at, at, '[{"id":"sandbox","sandbox":true}]' from (select now() - make_interval(secs => $1::float8 / 1000) as at) then_
     on conflict (only_row) do update set beaten_at = excluded.beaten_at, stored_at = excluded.stored_at`,
    [ms],
  )

it('the rows that carry an age are those whose read checks the session, except guides, which are content', () => {
  const byTheRead = Object.entries(API_ROUTES).filter(([, row]) => 'session' in row)
  expect(byTheRead.map(([name]) => name).sort()).toEqual([...NAMES, 'GET /api/guides'].sort())
})

it.each(NAMES)('%s responds without the control plane, and has no age while one runs', async (name) => {
  const { headers } = await signUp()
  await beatBefore(STALE_AFTER_MS / 3)
  const answer = await site.ask(name, { headers })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('age')).toBeNull()
  expect(asked).toEqual([])
})

it.each(NAMES)('%s returns its age once no control plane runs', async (name) => {
  const { headers } = await signUp()
  await beatBefore(STALE_AFTER_MS + 90_000)
  const age = Number((await site.ask(name, { headers })).headers.get('age'))
  expect(age).toBeGreaterThanOrEqual(105)
  expect(age).toBeLessThan(165)
  expect(asked).toEqual([])
})

it.each(NAMES)('%s refuses an ended session, and does not count it', async (name) => {
  const { headers, id } = await signUp()
  await site.ask('POST /api/auth/logout', { headers, body: {} })
  for (let at = 0; at < 20; at += 1) expect((await site.ask(name, { headers })).status).toBe(401)
  const { limits } = site.identity
  let left = 0
  while ((await limits.take('read', `read|${id}`)).ok) left += 1
  // One was the look at the account after signing in.
  expect(left).toBeGreaterThanOrEqual(ROUTE_LIMITS.read.burst - 1)
})

it.each(NAMES)('%s refuses an unsigned token', async (name) => {
  const { headers } = await signUp()
  const [head, body] = headers.authorization.split('.')
  const forged = { authorization: `${head}.${body}.${'A'.repeat(86)}` }
  expect((await site.ask(name, { headers: forged })).status).toBe(401)
  expect((await site.ask(name)).status).toBe(401)
})

it('a browser with push notifications is reported as in use, once it was not seen for a day', async () => {
  const { headers, id } = await signUp()
  const { db } = site.identity
  await db.query(
    `insert into control.push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at, seen_at)
     select gen_random_uuid(), user_id, id, 'https://push.test/' || id, 'p', 'a', now(), now()
     from identity.sessions where user_id = $1`,
    [id],
  )
  await site.ask('GET /api/user/notifications', { headers })
  expect(asked).toEqual([])
  await db.query(`update control.push_subscriptions set seen_at = now() - interval '25 hours' where user_id = $1`, [id])
  expect((await site.ask('GET /api/user/notifications', { headers })).status).toBe(200)
  await waitFor('the call', () => asked.length > 0)
  expect(asked).toEqual(['/internal/browser-seen'])
})

it('payment methods that were not published are requested from the control plane', async () => {
  const { headers } = await signUp()
  await site.identity.db.query('delete from control.heartbeat')
  expect((await site.ask('GET /api/balance', { headers })).status).toBe(503)
  expect(asked).toEqual(['/internal/balance'])
})
