import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GatewayTicketClaims } from '#contracts/http/auth.ts'
import { decodeJwt } from 'jose'
import { mintGatewayTicket } from '../../../src/identity/keys/access-tokens.ts'
import { listActivities } from '../../../src/identity/people/activities.ts'
import { authenticate } from '../../../src/identity/sessions/authenticate.ts'
import {
  endSession,
  openSession,
  refreshSession,
  subjectOfRefreshToken,
} from '../../../src/identity/sessions/sessions.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, signedIn } from '../../support/people.ts'
import { openMailbox } from '../../support/site-mails.ts'

let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

const origin = { address: '10.0.0.1', userAgent: 'test' }
const open = () => openSession(site.context, { userId: site.context.ids.next(), factor: null }, origin)
const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` })
const isSignedIn = async (token: string) => (await authenticate(site.context, bearer(token), false)).ok
const refreshed = async (token: string) => {
  const answer = await refreshSession(site.context, token)
  if (!answer.ok) throw new Error(answer.code)
  return answer.tokens
}

describe('refresh', () => {
  test('a refresh rotates a token to a new pair of the same session', async () => {
    const first = await open()
    const second = await refreshed(first.refreshToken)
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(second.subject).toEqual(first.subject)
    expect(await isSignedIn(second.accessToken)).toBe(true)
  })

  test('an old token after the grace time ends the whole family (case 19)', async () => {
    const first = await open()
    const second = await refreshed(first.refreshToken)
    site.clock.advance(10_001)
    expect(await refreshSession(site.context, first.refreshToken)).toEqual({
      ok: false,
      code: 'TOKEN_REUSED',
      ended: first.subject,
    })
    expect(await refreshSession(site.context, second.refreshToken)).toMatchObject({ ok: false, code: 'TOKEN_EXPIRED' })
    expect(await isSignedIn(second.accessToken)).toBe(false)
  })

  test('two tabs that refresh at once both stay signed in (case 19)', async () => {
    const first = await open()
    const [one, other] = await Promise.all([refreshed(first.refreshToken), refreshed(first.refreshToken)])
    expect(one.refreshToken).not.toBe(other.refreshToken)
    expect(await isSignedIn(one.accessToken)).toBe(true)
    site.clock.advance(60_000)
    await refreshed(other.refreshToken)
    expect(await isSignedIn(other.accessToken)).toBe(true)
  })

  test('the owner is mailed once about a token used by two, and not about two tabs (case 19)', async () => {
    const mails = openMailbox(site)
    const { username } = await newPerson(site)
    const { tokens } = await signedIn(site, username)
    const told = () => mails.all('session-copied', `${username}@example.test`)
    await Promise.all([refreshed(tokens.refreshToken), refreshed(tokens.refreshToken)])
    expect(await told()).toEqual([])
    site.clock.advance(10_001)
    for (let use = 0; use < 3; use += 1)
      await refreshSession(site.context, tokens.refreshToken, { address: '203.0.113.7' })
    const at = new Date(site.clock.now()).toISOString()
    const way = { path: '/auth/passwordreset', takesFactorsAway: false }
    expect(await told()).toEqual([{ username, address: '203.0.113.7', at, ...way }])
    const [line] = await listActivities(site.context.db, { userId: tokens.subject.userId })
    expect(line).toMatchObject({ type: 'session.copied', status: 'failure', ipAddress: '203.0.113.7' })
  })

  test('the sibling of a used token is spent, so that its use proves a copy', async () => {
    const first = await open()
    const [one, other] = await Promise.all([refreshed(first.refreshToken), refreshed(first.refreshToken)])
    site.clock.advance(60_000)
    await refreshed(one.refreshToken)
    site.clock.advance(60_000)
    expect(await refreshSession(site.context, other.refreshToken)).toMatchObject({ code: 'TOKEN_REUSED' })
  })

  test('of 30 concurrent uses at most 6 get tokens, and the rest end the family', async () => {
    const first = await open()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => refreshSession(site.context, first.refreshToken)),
    )
    expect(answers.filter((answer) => answer.ok).length).toBeLessThanOrEqual(6)
    expect(await isSignedIn(first.accessToken)).toBe(false)
  })

  test('a session ends after 14 days without use, and continues with use', async () => {
    const idle = await open()
    const used = await open()
    site.clock.advance(13 * 86_400_000)
    const next = await refreshed(used.refreshToken)
    site.clock.advance(2 * 86_400_000)
    expect(await refreshSession(site.context, idle.refreshToken)).toMatchObject({ code: 'TOKEN_EXPIRED' })
    await expect(refreshed(next.refreshToken)).resolves.toBeDefined()
  })

  test('a token that was never issued is unknown', async () => {
    expect(await refreshSession(site.context, 'guess')).toEqual({ ok: false, code: 'UNAUTHENTICATED' })
  })

  test('the database contains no token', async () => {
    const { refreshToken } = await open()
    const rows = await site.context.db.query<{ hash: Buffer }>('select hash from identity.refresh_tokens')
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ hash }) => hash.includes(refreshToken.slice(0, 16)))).toEqual([])
  })
})

describe('sessions', () => {
  test('sign-out ends this session immediately and no other (case 17)', async () => {
    const one = await open()
    const other = await openSession(site.context, { userId: one.subject.userId, factor: null }, origin)
    await endSession(site.context, one.subject, false)
    expect(await isSignedIn(one.accessToken)).toBe(false)
    expect(await isSignedIn(other.accessToken)).toBe(true)
    expect(await subjectOfRefreshToken(site.context, one.refreshToken)).toBeNull()
    await endSession(site.context, other.subject, true)
    expect(await isSignedIn(other.accessToken)).toBe(false)
  })

  test('an access token expires after 900 s', async () => {
    const { accessToken } = await open()
    site.clock.advance(899_000)
    expect(await isSignedIn(accessToken)).toBe(true)
    site.clock.advance(2_000)
    expect(await authenticate(site.context, bearer(accessToken), false)).toEqual({ ok: false, code: 'TOKEN_EXPIRED' })
  })

  test('neither a gateway ticket nor a changed token opens a call', async () => {
    const { subject, accessToken } = await open()
    const key = await site.context.keys.signing()
    const ticket = await mintGatewayTicket({ subject, nowMs: site.clock.now(), ids: site.context.ids, key })
    expect(GatewayTicketClaims.safeParse(decodeJwt(ticket)).success).toBe(true)
    expect(await isSignedIn(ticket)).toBe(false)
    const [head = '', body = '', signature = ''] = accessToken.split('.')
    const forged = Buffer.from(body, 'base64url').toString().replace(subject.userId, site.context.ids.next())
    expect(await isSignedIn([head, Buffer.from(forged).toString('base64url'), signature].join('.'))).toBe(false)
  })
})
