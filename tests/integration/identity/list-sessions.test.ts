import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticate } from '../../../src/identity/sessions/authenticate.ts'
import { endOwnSession, listSessions } from '../../../src/identity/sessions/list-sessions.ts'
import { endSession, openSession } from '../../../src/identity/sessions/sessions.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'

let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const ORIGIN = { address: '10.0.0.1', userAgent: 'test' }
const open = (userId: string, origin = ORIGIN) => openSession(site.context, { userId, factor: null }, origin)
const isSignedIn = async (token: string) =>
  (await authenticate(site.context, new Headers({ authorization: `Bearer ${token}` }), false)).ok

test('only the person’s open sessions are listed: this one first, then by last use', async () => {
  const [userId, other] = [site.context.ids.next(), site.context.ids.next()]
  await open(other)
  const here = await open(userId)
  site.clock.advance(1_000)
  const phone = await open(userId, { address: '10.0.0.2', userAgent: PHONE })
  site.clock.advance(1_000)
  const ended = await open(userId)
  await endSession(site.context, ended.subject, false)
  const list = await listSessions(site.context, here.subject)
  expect(list).toMatchObject([
    { id: here.subject.sessionId, isCurrent: true, ipAddress: '10.0.0.1' },
    {
      id: phone.subject.sessionId,
      isCurrent: false,
      ipAddress: '10.0.0.2',
      device: { browser: 'Safari', system: 'iOS', kind: 'phone' },
    },
  ])
  expect(list).toHaveLength(2)
  site.clock.advance(15 * 86_400_000)
  expect(await listSessions(site.context, here.subject)).toEqual([])
})

test('a session is ended from another device, immediately and once', async () => {
  const userId = site.context.ids.next()
  const [here, phone] = [await open(userId), await open(userId)]
  expect(await endOwnSession(site.context, { userId, id: phone.subject.sessionId }, ORIGIN)).toBe(true)
  expect(await isSignedIn(phone.accessToken)).toBe(false)
  expect(await isSignedIn(here.accessToken)).toBe(true)
  expect(await endOwnSession(site.context, { userId, id: phone.subject.sessionId }, ORIGIN)).toBe(false)
})

test('another person’s session stays, and looks like one that does not exist', async () => {
  const [mine, theirs] = [await open(site.context.ids.next()), await open(site.context.ids.next())]
  expect(await endOwnSession(site.context, { userId: mine.subject.userId, id: theirs.subject.sessionId }, ORIGIN)).toBe(
    false,
  )
  expect(await isSignedIn(theirs.accessToken)).toBe(true)
})
