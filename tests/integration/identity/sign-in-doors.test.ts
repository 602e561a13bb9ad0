import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { cookieHeader, openSite } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

const PASSWORD = 'correct horse battery'
let site: OpenSite
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const signIn = async (username: string, headers: Record<string, string> = {}) => {
  const { json, cookies } = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD }, headers })
  const { access_token: token } = TokenAnswer.parse(json)
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }
  return { sid, cookies }
}
const signUp = async (username: string) => {
  const passwords = { password: PASSWORD, passwordConfirm: PASSWORD }
  const body = { username, email: `${username}@example.test`, ...passwords, acceptTerms: true }
  expect((await site.ask('POST /api/auth/register', { body })).status).toBe(201)
  return signIn(username)
}

test('a browser with planted cookies gets a session and a device of its own (case 16, S10)', async () => {
  const [planted, victim] = [await signUp('planter'), await signUp('victim')]
  const own = await signIn('victim', { cookie: cookieHeader(planted.cookies) })
  expect(new Set([planted.sid, victim.sid, own.sid]).size).toBe(3)
  // Every cookie that opens something is replaced, and what was planted opens what it did.
  expect(planted.cookies.map((cookie) => cookie.split('=')[0])).toEqual(
    ['access', 'refresh', 'device'].map((name) => `__Host-bakter_${name}`),
  )
  for (const cookie of planted.cookies) {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
    const replaced = own.cookies.find((one) => one.startsWith(`${name}=`))
    expect(replaced).toBeDefined()
    expect(replaced).not.toContain(value)
  }
  const { json } = await site.ask('GET /api/user/sessions', { headers: { cookie: cookieHeader(planted.cookies) } })
  expect(JSON.stringify(json)).not.toContain(own.sid)
})

test('excess password checks are told to retry, and none waits for ever (case 12)', async () => {
  const body = (at: number) => ({ username: `crowd${at}`, password: PASSWORD })
  const crowd = Array.from({ length: 120 }, (_, at) => site.ask('POST /api/auth/login', { body: body(at) }))
  const answers = await Promise.all(crowd)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
  const told = answers.filter(({ status }) => status === 429)
  expect(told.map(({ json }) => json)).toEqual(
    told.map(() => ({ error: expect.objectContaining({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 5 }) })),
  )
  // The waiting line is bounded: two take their turn, 64 wait.
  expect(told.length).toBeGreaterThan(20)
})
