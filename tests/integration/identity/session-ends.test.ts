import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authenticate } from '../../../src/identity/sessions/authenticate.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { announceEnds, noteAnnounced, startSessionEnds } from '../../../src/identity/sessions/session-ends.ts'
import { endSession, openSession, refreshSession } from '../../../src/identity/sessions/sessions.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, signedIn, somewhere } from '../../support/people.ts'
import { waitFor } from '../../support/wait-for.ts'

let site: TestIdentity
let told: string[] = []
let failures: unknown[] = []
let isAway = false
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())
beforeEach(async () => {
  ;[told, failures, isAway] = [[], [], false]
  await site.context.db.query('truncate identity.sessions cascade')
})

const deps = () => ({
  context: site.context,
  announce: ({ sessionId }: { sessionId: string }) => {
    if (isAway) return Promise.reject(new Error('away'))
    told.push(sessionId)
    return Promise.resolve()
  },
  onFailure: (error: unknown) => void failures.push(error),
})
const endAccess = (userId: string) =>
  site.context.db.query(`select identity.end_access(array[$1::uuid], 'role removed')`, [userId])
const isSignedIn = async (token: string) =>
  (await authenticate(site.context, new Headers({ authorization: `Bearer ${token}` }), false)).ok

describe('the control plane', () => {
  test('every ended session is announced to the control plane, once', async () => {
    const { userId, username } = await newPerson(site)
    const [one, other] = [await signedIn(site, username), await signedIn(site, username)]
    const { username: bystander } = await newPerson(site)
    const theirs = await signedIn(site, bystander)
    await endAccess(userId)
    expect(await Promise.all([one, other, theirs].map(({ tokens }) => isSignedIn(tokens.accessToken)))).toEqual([
      false,
      false,
      true,
    ])
    await announceEnds(deps())
    await announceEnds(deps())
    expect(told.sort()).toEqual([one, other].map(({ person }) => person.sessionId).sort())
  })

  test('missed announcements are repeated', async () => {
    const { username } = await newPerson(site)
    const { tokens } = await signedIn(site, username)
    await endSession(site.context, tokens.subject, false)
    isAway = true
    expect([await announceEnds(deps()), failures.length, told]).toEqual([false, 1, []])
    isAway = false
    await announceEnds(deps())
    expect(told).toEqual([tokens.subject.sessionId])
  })

  test('ends that were already announced are not repeated', async () => {
    const { userId, username } = await newPerson(site)
    const { tokens } = await signedIn(site, username)
    await endSession(site.context, tokens.subject, true)
    await noteAnnounced(site.context.db, { userId, sessionId: null, nowMs: site.clock.now() })
    await announceEnds(deps())
    expect(told).toEqual([])
  })

  test('an announcement follows the commit of a transaction that removed a role', async () => {
    const { userId, username } = await newPerson(site)
    const { person } = await signedIn(site, username)
    const relay = startSessionEnds(deps())
    await endAccess(userId)
    await waitFor('the end of the session', () => told.length === 1)
    await relay.close()
    expect(told).toEqual([person.sessionId])
  })
})

describe('a suspended person', () => {
  const suspend = async (userId: string) => {
    await site.context.db.query('update public.users set suspended = true where id = $1', [userId])
  }

  test('they can neither sign in nor refresh, whoever wrote the suspension', async () => {
    const { userId, username } = await newPerson(site)
    const { tokens } = await signedIn(site, username)
    await suspend(userId)
    expect(await isSignedIn(tokens.accessToken)).toBe(false)
    expect(await refreshSession(site.context, tokens.refreshToken)).toEqual({ ok: false, code: 'TOKEN_EXPIRED' })
    const [row] = await site.context.db.query<{ end_reason: string }>('select end_reason from identity.sessions')
    expect(row?.end_reason).toBe('account suspended')
  })

  test('they cannot sign in, and learn the reason only with the right password', async () => {
    const { userId, username } = await newPerson(site)
    await suspend(userId)
    const attempt = (password: string) => login(site.context, { name: username, password, device: null }, somewhere())
    expect(await attempt('wrong password')).toEqual({ ok: false, code: 'INVALID_CREDENTIALS' })
    expect(await attempt(PASSWORD)).toEqual({ ok: false, code: 'ACCOUNT_SUSPENDED' })
  })

  test('no other way to sign in opens a session', async () => {
    const { userId } = await newPerson(site)
    await suspend(userId)
    const opened = openSession(site.context, { userId, factor: 'passkey' }, somewhere())
    await expect(opened).rejects.toThrow('or is suspended')
  })
})
