import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { User } from '#contracts/http/user.ts'
import type { createApi } from '../../../src/api/app/app.ts'
import { API_SITE, openApiOn } from '../../support/api-on-database.ts'
import { createWholeDatabase } from '../../support/whole-database.ts'

type Api = ReturnType<typeof createApi>
type Reply = { status: number; body: unknown }

const PASSWORD = 'correct horse battery'
const calls: { path: string; headers: Record<string, unknown>; body: unknown }[] = []
let reply: Reply = { status: 503, body: {} }
let api: Api
let close: () => Promise<void>

beforeAll(async () => {
  const opened = await openApiOn(await createWholeDatabase(), (asked) => {
    calls.push(asked)
    return reply
  })
  ;({ api, close } = opened)
})
afterAll(() => close())

const PATHS = {
  register: 'auth/register',
  login: 'auth/login',
  refresh: 'auth/refresh',
  logout: 'auth/logout',
  me: 'user/me',
  orders: 'orders',
  topup: 'balance/topup',
  server: 'server/{id}',
} as const

let address = 0
const ask = async (
  name: keyof typeof PATHS,
  { body, headers = {}, id = '' }: { body?: unknown; headers?: Record<string, string>; id?: string } = {},
) => {
  address += 1
  const { 'x-bakter-address': from = `10.0.${address}.1`, ...sent } = headers
  const isRead = name === 'me' || name === 'server'
  const request = new Request(`${API_SITE}/api/${PATHS[name].replace('{id}', encodeURIComponent(id))}`, {
    method: isRead ? 'GET' : 'POST',
    headers: body === undefined ? sent : { 'content-type': 'application/json', ...sent },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await api(request, { requestId: 'request-of-the-test', address: from })
  return { response, json: (await response.json()) as unknown, cookies: response.headers.getSetCookie() }
}
const errorOf = (json: unknown) => ErrorBody.parse(json).error
const cookieHeader = (cookies: string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ')

const signUp = async (username: string) => {
  await ask('register', {
    body: {
      username,
      email: `${username}@example.test`,
      acceptTerms: true,
      password: PASSWORD,
      passwordConfirm: PASSWORD,
    },
  })
  const { json, cookies } = await ask('login', { body: { username, password: PASSWORD } })
  return {
    tokens: TokenAnswer.parse(json),
    cookies,
    bearer: { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` },
  }
}

describe('a browser', () => {
  test('a browser signs in with cookies that no script and no other host can access', async () => {
    const { cookies } = await signUp('browser')
    expect(cookies.map((cookie) => cookie.replace(/=[^;]+/, '=v'))).toEqual([
      '__Host-bakter_access=v; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure',
      '__Host-bakter_refresh=v; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure',
      '__Host-bakter_device=v; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure',
    ])
    const { response, json } = await ask('me', { headers: { cookie: cookieHeader(cookies) } })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(User.parse(json)).toMatchObject({ username: 'browser', balance: 0, spinCount: 1, role: [] })
  })

  test('a foreign page can neither sign it out nor refresh it (case 152)', async () => {
    const { cookies } = await signUp('target')
    const cookie = cookieHeader(cookies)
    for (const name of ['logout', 'refresh', 'orders'] as const) {
      const { response, json } = await ask(name, { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
      expect([response.status, errorOf(json).code]).toEqual([403, 'CSRF'])
    }
    expect((await ask('me', { headers: { cookie } })).response.status).toBe(200)
  })

  test('it signs out, and its tokens become invalid (case 17)', async () => {
    const { cookies, tokens, bearer } = await signUp('leaver')
    const headers = { cookie: cookieHeader(cookies), 'sec-fetch-site': 'same-origin' }
    const { cookies: cleared } = await ask('logout', { headers })
    expect(cleared.every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
    expect(calls.at(-1)).toMatchObject({ path: '/internal/session-ended', body: { sessionId: expect.any(String) } })
    expect((await ask('me', { headers: bearer })).response.status).toBe(401)
    const refresh = await ask('refresh', { body: { refresh_token: tokens.refresh_token } })
    expect(errorOf(refresh.json).code).toBe('TOKEN_EXPIRED')
  })

  test('it refreshes by its cookie alone', async () => {
    const { cookies } = await signUp('refresher')
    const headers = { cookie: cookieHeader(cookies), origin: API_SITE }
    const { response, cookies: next } = await ask('refresh', { headers })
    expect(response.status).toBe(200)
    expect(cookieHeader(next)).not.toBe(cookieHeader(cookies.slice(0, 2)))
  })
})

describe('refusals', () => {
  test('refusals are in the caller’s language, with the invalid fields', async () => {
    const { response, json } = await ask('register', {
      body: { username: 'x' },
      headers: { 'accept-language': 'hu-HU' },
    })
    expect(response.status).toBe(400)
    expect(errorOf(json)).toMatchObject({
      code: 'VALIDATION',
      message: 'Ellenőrizd a megjelölt mezőket.',
      fields: { username: 'Ez nem érvényes.', email: 'Ezt töltsd ki.' },
      requestId: 'request-of-the-test',
    })
  })

  test('an unknown name and a wrong password get the same response (case 15)', async () => {
    await signUp('known')
    const answer = async (username: string) => {
      const { response, json } = await ask('login', { body: { username, password: 'wrong password' } })
      return [response.status, json, [...response.headers.keys()]]
    }
    expect(await answer('known')).toEqual(await answer('unknown'))
  })

  test('too many attempts get the time to wait', async () => {
    const headers = { 'x-bakter-address': '203.0.113.9' }
    let last = await ask('login', { body: { username: 'nobody', password: 'x' }, headers })
    for (let at = 0; at < 12; at += 1)
      last = await ask('login', { body: { username: 'nobody', password: 'x' }, headers })
    expect(last.response.status).toBe(429)
    expect(Number(last.response.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('without a session nothing behind it is called', async () => {
    const before = calls.length
    const { response, json } = await ask('orders', { body: {} })
    expect([response.status, errorOf(json).code, calls.length]).toEqual([401, 'UNAUTHENTICATED', before])
  })
})

describe('the control plane', () => {
  const order = { serviceId: '0192aaaa-0000-7000-8000-000000000001', months: 1, name: 'Mine' }

  test('the control plane gets the authenticated caller, whatever the body says (case 35)', async () => {
    const { bearer } = await signUp('buyer')
    reply = { status: 402, body: { error: { code: 'INSUFFICIENT_BALANCE', params: { price: '410' } } } }
    const { response, json } = await ask('orders', {
      body: { ...order, caller: { isAdmin: true }, userId: 'x', price: 1 },
      headers: { ...bearer, 'idempotency-key': 'key-of-order-1' },
    })
    expect([response.status, errorOf(json).message]).toEqual([402, 'You need extra 410 HUF to purchase this server.'])
    const call = calls.at(-1)
    expect(call).toMatchObject({
      path: '/internal/order',
      headers: { 'idempotency-key': 'key-of-order-1', 'x-request-id': 'request-of-the-test' },
      body: { caller: { isAdmin: false, isSupport: false, isVerified: false }, request: order },
    })
    expect(JSON.stringify(call?.body)).not.toMatch(/"price"|"isAdmin":true/)
  })

  describe('a consent', () => {
    const consentsOf = async (username: string) => {
      const { identity } = await import('../../../src/identity/dependencies.ts')
      return identity().db.query<{ document: string; version: string; address: string }>(
        `select document, version, address from identity.consents consent
         join public.users person on person.id = consent.user_id
         where username = $1 and given_at > now() - interval '1 minute' order by consent.id`,
        [username],
      )
    }
    const given = (document: string, address: string) => ({ document, version: '1', address })
    const at = (where: string) => ({ 'x-bakter-address': where })

    test('the consent to an order is recorded before money can move, and stays when the order is refused', async () => {
      const { bearer } = await signUp('consenting-buyer')
      const registered = await consentsOf('consenting-buyer')
      expect(registered.map(({ document }) => document)).toEqual(['terms of service', 'privacy policy'])
      reply = { status: 503, body: {} }
      const headers = { ...bearer, 'idempotency-key': 'key-of-consent-1', ...at('198.51.100.7') }
      expect((await ask('orders', { body: order, headers })).response.status).toBe(503)
      expect((await consentsOf('consenting-buyer')).slice(2)).toEqual([
        given('terms of service', '198.51.100.7'),
        given('immediate start', '198.51.100.7'),
      ])
    })

    test('the consent to a top-up is recorded only where it was given', async () => {
      const { bearer } = await signUp('consenting-payer')
      reply = { status: 422, body: { error: { code: 'TERMS_NOT_ACCEPTED' } } }
      const headers = { ...bearer, ...at('198.51.100.8') }
      const body = { amount: 5_000, method: 'sandbox', acceptTerms: false }
      await ask('topup', { body, headers })
      expect(await consentsOf('consenting-payer')).toHaveLength(2)
      await ask('topup', { body: { ...body, acceptTerms: true }, headers })
      expect((await consentsOf('consenting-payer')).slice(2)).toEqual([given('terms of service', '198.51.100.8')])
    })

    test('a consent names the published version, and without the record the control plane is not called', async () => {
      const { bearer } = await signUp('late-payer')
      const { identity } = await import('../../../src/identity/dependencies.ts')
      const { db } = identity()
      await db.query(
        `insert into public.documents (id, terms_version, privacy_version) values (gen_random_uuid(), '2027-01', '3')`,
      )
      const blind = { amount: 5_000, method: 'sandbox', acceptTerms: true }
      const { json: refused } = await ask('topup', { body: blind, headers: bearer })
      expect([errorOf(refused).code, (await consentsOf('late-payer')).length]).toEqual(['TERMS_CHANGED', 2])
      const body = { ...blind, termsVersion: '2027-01' }
      await ask('topup', { body, headers: bearer })
      expect((await consentsOf('late-payer')).at(-1)).toMatchObject({ version: '2027-01' })
      const before = calls.length
      await db.query('alter table identity.consents rename to consents_away')
      try {
        const { json } = await ask('topup', { body, headers: bearer })
        expect([errorOf(json).code, calls.length]).toEqual(['INTERNAL', before])
      } finally {
        await db.query('alter table identity.consents_away rename to consents')
        await db.query('delete from public.documents')
      }
    })
  })

  test('the control plane is not asked to move money without a key', async () => {
    const { bearer } = await signUp('keyless')
    const { json } = await ask('orders', { body: order, headers: bearer })
    expect(errorOf(json).code).toBe('IDEMPOTENCY_KEY_MISSING')
  })

  test('each request without a key starts a payment, and one key starts one', async () => {
    const { bearer } = await signUp('payer')
    reply = { status: 422, body: { error: { code: 'TERMS_NOT_ACCEPTED' } } }
    const body = { amount: 5_000, method: 'sandbox', acceptTerms: false }
    const keyOf = async (headers: Record<string, string>) => {
      await ask('topup', { body, headers: { ...bearer, ...headers } })
      return calls.at(-1)?.headers['idempotency-key']
    }
    const [one, other] = [await keyOf({}), await keyOf({})]
    expect(one).toMatch(/^[\w-]{8,}$/)
    expect(other).not.toBe(one)
    expect(await keyOf({ 'idempotency-key': 'key-of-topup-1' })).toBe('key-of-topup-1')
  })

  test('its 404 for another person’s server stays a 404, like that of an invalid id (case 30)', async () => {
    const { bearer } = await signUp('curious')
    reply = { status: 404, body: { error: { code: 'NOT_FOUND' } } }
    const foreign = await ask('server', { id: '0192aaaa-0000-7000-8000-000000000009', headers: bearer })
    const nonsense = await ask('server', { id: "1' or '1'='1", headers: bearer })
    expect([foreign.response.status, nonsense.response.status]).toEqual([404, 404])
    expect(foreign.json).toEqual(nonsense.json)
  })

  test('an inactive role grants nothing, and active ones are returned', async () => {
    const { bearer, tokens } = await signUp('staffer')
    const { identity } = await import('../../../src/identity/dependencies.ts')
    const { db } = identity()
    const subject = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString()) as {
      sub: string
    }
    for (const [name, isAdmin, active] of [
      ['Old boss', true, false],
      ['Support', false, true],
    ] as const) {
      const [role] = await db.query<{ id: string }>(
        `insert into public.roles (id, name, slug, is_admin, is_support, active)
         values (gen_random_uuid(), $1, $2, $3, true, $4) returning id`,
        [name, name.replace(' ', '-'), isAdmin, active],
      )
      await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [
        subject.sub,
        role?.id,
      ])
    }
    reply = { status: 503, body: {} }
    const { json } = await ask('me', { headers: bearer })
    expect(User.parse(json).role).toEqual([{ name: 'Support', isAdmin: 0, isSupport: 1 }])
    await ask('server', { id: '0192aaaa-0000-7000-8000-000000000009', headers: bearer })
    expect(calls.at(-1)).toMatchObject({
      path: '/internal/server',
      body: { caller: { isAdmin: false, isSupport: true } },
    })
  })
})
