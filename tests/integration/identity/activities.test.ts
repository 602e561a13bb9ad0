import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities, mergeActivities, sweepActivities } from '../../../src/identity/people/activities.ts'
import { endOwnSession } from '../../../src/identity/sessions/list-sessions.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { refreshSession } from '../../../src/identity/sessions/sessions.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, personWithTotp, signedIn, somewhere } from '../../support/people.ts'

let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

const linesOf = async (userId: string) =>
  (await listActivities(site.context.db, { userId })).map(({ type, status }) => `${type} ${status}`).toReversed()
const attempt = (name: string, password: string) =>
  login(site.context, { name, password, device: null }, { address: '10.9.8.7', userAgent: 'test' })

test('a sign-in, a wrong password and the end of another device are logged with the address', async () => {
  const { userId, username } = await newPerson(site)
  await attempt(username, 'wrong')
  const here = await signedIn(site, username)
  const other = await signedIn(site, username)
  await endOwnSession(site.context, { userId, id: other.person.sessionId }, somewhere())
  await endOwnSession(site.context, { userId, id: other.person.sessionId }, somewhere())
  expect(await linesOf(userId)).toEqual(['login failure', 'login success', 'login success', 'session.ended success'])
  const [, , , first] = await listActivities(site.context.db, { userId })
  expect(first).toMatchObject({ ipAddress: '10.9.8.7', place: '' })
  expect(here.person.userId).toBe(userId)
})

test('an unknown name is not logged', async () => {
  const count = async () =>
    (await site.context.db.query<{ n: number }>('select count(*)::int as n from identity.activities'))[0]?.n
  const before = await count()
  await attempt('nobody-at-all', 'wrong')
  expect(await count()).toBe(before)
})

test('changes of credentials are logged: an app, a wrong code, a copied session', async () => {
  const person = await personWithTotp(site)
  await login(site.context, { name: person.username, password: PASSWORD, device: null, code: '000000' }, somewhere())
  const next = await refreshSession(site.context, person.tokens.refreshToken)
  expect(next.ok).toBe(true)
  site.clock.advance(10_001)
  expect(await refreshSession(site.context, person.tokens.refreshToken)).toMatchObject({ code: 'TOKEN_REUSED' })
  const lines = await linesOf(person.userId)
  expect(lines).toEqual(
    expect.arrayContaining(['security.app-on success', 'login.code failure', 'session.copied failure']),
  )
})

test('pages are consecutive, and two logs are merged by time', async () => {
  const { userId, username } = await newPerson(site)
  for (let time = 0; time < 4; time += 1) await attempt(username, 'wrong')
  const all = await listActivities(site.context.db, { userId })
  const first = await listActivities(site.context.db, { userId, limit: 2 })
  const rest = await listActivities(site.context.db, { userId, limit: 2, before: first.at(-1)?.id })
  expect([...first, ...rest]).toEqual(all)
  const [a, b, c, d] = all
  if (!a || !b || !c || !d) throw new Error('Four were written.')
  expect(
    mergeActivities(
      [
        [a, c],
        [b, d],
      ],
      3,
    ),
  ).toEqual([a, b, c])
})

test('lines are kept for 180 days', async () => {
  const { userId, username } = await newPerson(site)
  await attempt(username, 'wrong')
  site.clock.advance(179 * 86_400_000)
  await sweepActivities(site.context.db, site.context)
  expect(await linesOf(userId)).toEqual(['login failure'])
  site.clock.advance(2 * 86_400_000)
  await sweepActivities(site.context.db, site.context)
  expect(await linesOf(userId)).toEqual([])
})
