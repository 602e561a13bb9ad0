import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { ApiRouteName } from '#contracts/routes/routes.ts'
import { FactorOnAnswer, SecondFactorState, TotpSetup } from '#contracts/http/second-factor.ts'
import { PASSWORD } from '../../support/people.ts'
import { cookieHeader, openSite } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'
import { codeAt } from '../../support/totp-code.ts'

let site: OpenSite
/** Somebody with a second factor, a session from before it, and a sign-in that waits for the code. */
const victim = { secret: '', recovery: '', before: { access: '', refresh: '', cookie: '' }, token: '', cookie: '' }

const errorOf = (json: unknown) => ErrorBody.parse(json).error
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const signIn = async () => {
  const { json, cookies } = await site.ask('POST /api/auth/login', { body: { username: 'victim', password: PASSWORD } })
  const tokens = TokenAnswer.parse(json)
  return { access: tokens.access_token, refresh: tokens.refresh_token, cookie: cookieHeader(cookies) }
}
const firstStep = async () => {
  const answer = await site.ask('POST /api/auth/login', { body: { username: 'victim', password: PASSWORD } })
  return { ...answer, error: errorOf(answer.json), cookie: cookieHeader(answer.cookies) }
}
const code = (shiftMs = 0) => codeAt(victim.secret, Date.now() + shiftMs)

beforeAll(async () => {
  site = await openSite()
  const person = { username: 'victim', email: 'victim@example.test', acceptTerms: true }
  await site.ask('POST /api/auth/register', { body: { ...person, password: PASSWORD, passwordConfirm: PASSWORD } })
  victim.before = await signIn()
  const own = await signIn()
  const setup = await site.ask('POST /api/user/2fa/setup', {
    body: { password: PASSWORD },
    headers: bearer(own.access),
  })
  const { secret, uri, qr } = TotpSetup.parse(setup.json)
  expect(uri).toBe(`otpauth://totp/Bakter:victim?secret=${secret}&issuer=Bakter`)
  expect(Buffer.from(qr.split(',')[1] ?? '', 'base64').toString()).toMatch(/^<svg xmlns/)
  victim.secret = secret
  const on = await site.ask('POST /api/user/2fa/enable', { body: { code: await code() }, headers: bearer(own.access) })
  victim.recovery = FactorOnAnswer.parse(on.json).recoveryCodes?.[0] ?? ''
  const state = await site.ask('GET /api/user/2fa', { headers: bearer(own.access) })
  expect(SecondFactorState.parse(state.json)).toMatchObject({ totp: true, recoveryCodesLeft: 10, required: false })
  const { error, cookie } = await firstStep()
  victim.token = String(error.params?.['challenge'])
  victim.cookie = cookie
})
afterAll(() => site.close())

describe('the sign-in of an account with a second factor', () => {
  test('the password alone gets OTP_REQUIRED with one cookie, which contains no session', async () => {
    const { status, error, cookies } = await firstStep()
    expect([status, error.code, error.params?.['factors']]).toEqual([401, 'OTP_REQUIRED', 'totp'])
    expect(cookies.map((each) => each.replace(/=[^;]+/, '=v'))).toEqual([
      '__Host-bakter_challenge=v; Path=/; Max-Age=300; HttpOnly; SameSite=Lax; Secure',
    ])
  })

  test('the code in the same browser gets tokens, and the cookie is deleted', async () => {
    const { error, cookie } = await firstStep()
    const body = { challenge: error.params?.['challenge'], code: await code(30_000) }
    const elsewhere = await site.ask('POST /api/auth/login/factor', { body })
    expect([elsewhere.status, errorOf(elsewhere.json).code]).toEqual([401, 'TOKEN_EXPIRED'])
    const wrong = await site.ask('POST /api/auth/login/factor', {
      body: { ...body, code: '000000' },
      headers: { cookie },
    })
    expect([wrong.status, errorOf(wrong.json).message]).toEqual([401, 'Invalid code.'])
    const answer = await site.ask('POST /api/auth/login/factor', { body, headers: { cookie } })
    expect(answer.status).toBe(200)
    expect(answer.cookies.find((each) => each.includes('challenge'))).toContain('Max-Age=0')
    const me = await site.ask('GET /api/user/me', { headers: bearer(TokenAnswer.parse(answer.json).access_token) })
    expect(me.json).toMatchObject({ username: 'victim', twoFactor: true })
  })

  test('a client that sends everything at once may use a recovery code beside the password', async () => {
    const body = { username: 'victim', password: PASSWORD, code: victim.recovery }
    expect((await site.ask('POST /api/auth/login', { body })).status).toBe(200)
    const again = await site.ask('POST /api/auth/login', { body })
    expect([again.status, errorOf(again.json).code, again.cookies]).toEqual([401, 'INVALID_CODE', []])
  })
})

describe('every other way in', () => {
  const signedInRoutes = (Object.keys(API_ROUTES) as ApiRouteName[]).filter((name) => API_ROUTES[name].auth === 'user')

  test.each(signedInRoutes)('%s is closed to an older session, and to a challenge', async (name) => {
    for (const headers of [
      bearer(victim.before.access),
      { cookie: victim.before.cookie },
      bearer(victim.token),
      { cookie: victim.cookie },
      { cookie: victim.cookie.replace('challenge', 'access') },
      { cookie: `__Host-bakter_access=${victim.token}` },
    ]) {
      const { status, json } = await site.ask(name, { headers })
      expect([name, status, errorOf(json).code]).toEqual([name, 401, 'UNAUTHENTICATED'])
    }
  })

  test.each([
    ['the session from before', () => ({ body: { refresh_token: victim.before.refresh } })],
    ['its cookie', () => ({ headers: { cookie: victim.before.cookie } })],
    ['the challenge', () => ({ body: { refresh_token: victim.token } })],
    ['the challenge as a cookie', () => ({ headers: { cookie: `__Host-bakter_refresh=${victim.token}` } })],
  ])('a refresh by %s returns no token (case 3)', async (_name, sent) => {
    const { status, json, cookies } = await site.ask('POST /api/auth/refresh', sent())
    expect(status).toBe(401)
    expect(json).not.toHaveProperty('access_token')
    expect(cookieHeader(cookies)).toBe('')
  })

  test('only sign-in, its further steps, and refresh return tokens without a session', () => {
    const open = (Object.keys(API_ROUTES) as ApiRouteName[]).filter((name) => API_ROUTES[name].output === TokenAnswer)
    expect(open.sort()).toEqual([
      'POST /api/auth/login',
      'POST /api/auth/login/factor',
      'POST /api/auth/passkey/login',
      'POST /api/auth/refresh',
    ])
  })

  test('Payload accepts neither an older session nor a challenge, and no API keys', async () => {
    const { authenticateRequest } = await import('../../../src/identity/dependencies.ts')
    for (const header of [bearer(victim.before.access), bearer(victim.token), { authorization: 'users API-Key x' }]) {
      expect(await authenticateRequest(new Headers(header as Record<string, string>))).toBeNull()
    }
  })
})
