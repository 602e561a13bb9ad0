import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ErrorBody } from '#contracts/http/errors.ts'
import type { createApi } from '../../../src/api/app/app.ts'
import type { IdentityContext } from '../../../src/identity/context/context.ts'
import { API_SITE, openApiOn } from '../../support/api-on-database.ts'
import { createIdentityDatabase } from '../../support/identity-context.ts'
import { openMailbox, tokenOf } from '../../support/site-mails.ts'

const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'another long enough one'
const ended: unknown[] = []
let api: ReturnType<typeof createApi>
let context: IdentityContext
let mails: ReturnType<typeof openMailbox>
let close: () => Promise<void>

beforeAll(async () => {
  const opened = await openApiOn(await createIdentityDatabase(), ({ path, body }) => {
    if (path === '/internal/session-ended') ended.push(body)
    return { status: 200, body: {} }
  })
  ;({ api, context, close } = opened)
  mails = openMailbox({ context })
})
afterAll(() => close())
beforeEach(() => {
  ended.length = 0
})

let address = 0
const post = async (name: string, body: unknown, headers: Record<string, string> = {}) => {
  address += 1
  const request = new Request(`${API_SITE}/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-bakter-address': `10.1.${address}.1`, ...headers },
    body: JSON.stringify(body),
  })
  const from = request.headers.get('x-bakter-address') ?? ''
  const response = await api(request, { requestId: 'request-of-the-test', address: from })
  return {
    status: response.status,
    json: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}
const errorOf = ({ json }: { json: unknown }) => ErrorBody.parse(json).error

let people = 0
const person = async () => {
  people += 1
  const [username, email] = [`proved${people}`, `proved${people}@example.test`]
  const names = { username, email, password: PASSWORD, passwordConfirm: PASSWORD, acceptTerms: true }
  expect((await post('auth/register', names)).status).toBe(201)
  const signIn = async () => {
    const { json } = await post('auth/login', { username, password: PASSWORD })
    return { authorization: `Bearer ${String(json['access_token'])}` }
  }
  return { username, email, bearer: await signIn(), signIn }
}

describe('POST /api/auth/verify', () => {
  test('the code verifies the signed-in person, and nobody else', async () => {
    const { email, bearer } = await person()
    const { code } = await mails.newest('verify', email)
    expect((await post('auth/verify', { code })).status).toBe(401)
    const stranger = await post('auth/verify', { code, email }, (await person()).bearer)
    expect([stranger.status, errorOf(stranger).code]).toEqual([401, 'INVALID_CODE'])
    expect((await post('auth/verify', { code, email }, bearer)).status).toBe(200)
  })

  test('a wrong code gets the specification’s words', async () => {
    const { bearer } = await person()
    const wrong = await post('auth/verify', { code: '000000' }, { ...bearer, 'accept-language': 'en' })
    expect(errorOf(wrong).message).toBe('Invalid code.')
  })

  test('a new code has to wait a minute, and the response says how long', async () => {
    // The minute runs: only its start is awaited here, not its whole length.
    const atMs = performance.now()
    const { bearer } = await person()
    const early = await post('auth/verify/resend', {}, bearer)
    expect(early.status).toBe(429)
    const passed = Math.ceil((performance.now() - atMs) / 1_000)
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThanOrEqual(60 - passed)
  })
})

describe('POST /api/auth/passwordreset', () => {
  test('every address gets the same response, whatever the request claims about the site (cases 15 and 22)', async () => {
    const { email } = await person()
    const poisoned = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      origin: API_SITE,
    }
    const extras = { url: 'https://evil.example', collection: 'users', returnTo: '//evil.example' }
    const answers = await Promise.all(
      [email, 'nobody@example.test'].map((one) => post('auth/passwordreset', { email: one, ...extras }, poisoned)),
    )
    expect(answers.map(({ status, json }) => [status, json])).toEqual([
      [202, {}],
      [202, {}],
    ])
    const { path } = await mails.newest('reset', email)
    expect(path).toMatch(/^\/auth\/passwordreset\?token=[\w-]{43}$/)
    expect(JSON.stringify(await mails.collect())).not.toContain('evil.example')
  })

  test('a reset sets a password once, ends every session and announces it to the sockets', async () => {
    const { email, username, bearer } = await person()
    await post('auth/passwordreset', { email })
    const token = tokenOf(await mails.newest('reset', email))
    const body = { token, password: NEW_PASSWORD, passwordConfirm: NEW_PASSWORD }
    const set = await post('auth/passwordreset/confirm', body)
    expect(set.status).toBe(200)
    expect(set.headers.getSetCookie().every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
    expect(ended).toEqual([{ userId: expect.any(String), sessionId: null }])
    expect((await post('auth/verify', { code: '000000' }, bearer)).status).toBe(401)
    expect((await post('auth/login', { username, password: PASSWORD })).status).toBe(401)
    expect((await post('auth/login', { username, password: NEW_PASSWORD })).status).toBe(200)
    const again = await post('auth/passwordreset/confirm', body)
    expect([again.status, errorOf(again).code]).toEqual([422, 'LINK_INVALID'])
  })

  test('a foreign page cannot send it (case 152)', async () => {
    for (const name of ['auth/passwordreset', 'auth/passwordreset/confirm', 'auth/email/undo', 'user/password']) {
      const foreign = await post(name, {}, { 'sec-fetch-site': 'cross-site' })
      expect([foreign.status, errorOf(foreign).code]).toEqual([403, 'CSRF'])
    }
  })
})

describe('POST /api/user/password', () => {
  const change = (bearer: Record<string, string>, body: object = {}) =>
    post(
      'user/password',
      { currentPassword: PASSWORD, password: NEW_PASSWORD, passwordConfirm: NEW_PASSWORD, ...body },
      { ...bearer, 'accept-language': 'en' },
    )

  test('mismatching passwords get the specification’s words', async () => {
    const { bearer } = await person()
    const answer = await change(bearer, { passwordConfirm: 'something else' })
    expect([answer.status, errorOf(answer).fields]).toEqual([
      400,
      { passwordConfirm: 'The given passwords are mismatching.' },
    ])
  })

  test('a wrong password is refused without ending the session', async () => {
    const { bearer } = await person()
    const answer = await change(bearer, { currentPassword: 'a guess' })
    expect([answer.status, errorOf(answer).code]).toEqual([422, 'WRONG_PASSWORD'])
    expect(errorOf(await post('auth/verify', { code: '000000' }, bearer)).code).toBe('INVALID_CODE')
  })

  test('a change ends the other sessions, and announces each', async () => {
    const { bearer, signIn } = await person()
    const phone = await signIn()
    expect((await change(bearer)).json).toEqual({ ended: 1 })
    expect(ended).toEqual([{ userId: expect.any(String), sessionId: expect.any(String) }])
    expect((await post('auth/verify', { code: '000000' }, phone)).status).toBe(401)
    expect(errorOf(await post('auth/verify', { code: '000000' }, bearer)).code).toBe('INVALID_CODE')
  })
})

describe('POST /api/user/email', () => {
  test('a free and a taken address get the same response; the change is confirmed at the new and undone from the old one', async () => {
    const [anna, bob] = [await person(), await person()]
    const next = `new-${anna.email}`
    const ask = (email: string) => post('user/email', { email, password: PASSWORD }, anna.bearer)
    const [taken, free] = [await ask(bob.email), await ask(next)]
    expect([taken.status, taken.json]).toEqual([free.status, free.json])
    const confirm = tokenOf(await mails.newest('email-change', next))
    expect((await post('auth/email/confirm', { token: confirm })).json).toEqual({ email: next })
    const undo = tokenOf(await mails.newest('email-change-notice', anna.email))
    expect((await post('auth/email/undo', { token: undo })).json).toEqual({ email: anna.email })
    expect(ended).toEqual([{ userId: expect.any(String), sessionId: null }])
    expect((await post('auth/verify', { code: '000000' }, anna.bearer)).status).toBe(401)
  })
})
