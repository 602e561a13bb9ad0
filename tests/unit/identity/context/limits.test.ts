import { expect, test } from 'vitest'
import { memoryLimitStore, splitLimitStore } from '../../../../src/identity/context/limit-store.ts'
import { bucketKey } from '../../../../src/identity/context/limits.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { RouteClass } from '#contracts/http/limits.ts'

test('keys name what the table says', () => {
  const who = { address: '192.0.2.7', account: 'a' }
  expect(bucketKey('login', who)).toBe('login|192.0.2.7')
  expect(bucketKey('loginAccount', who)).toBe('loginAccount|192.0.2.7|a')
  expect(bucketKey('loginAccountGlobal', who)).toBe('loginAccountGlobal|a')
})

test('memory stays bounded under a flood of addresses', async () => {
  const store = memoryLimitStore(new ManualClock(), 100)
  const exhaust = async (key: string) => {
    while ((await store.take('publicRead', key)).ok);
  }
  const isKnown = async (key: string) => !(await store.take('publicRead', key)).ok
  await exhaust('first')
  for (let at = 0; at < 99; at += 1) await store.take('publicRead', `k${at}`)
  expect(await isKnown('first')).toBe(true)
  for (let at = 99; at < 1_000; at += 1) await store.take('publicRead', `k${at}`)
  // Its place went to others: a hundred keys are kept at most.
  expect(await isKnown('first')).toBe(false)
  await exhaust('busy')
  expect(await isKnown('busy')).toBe(true)
})

test('reading is counted in memory; sign-in, money and mail in the store that all sites share', async () => {
  const takenFrom = (asked: string[]) => ({
    take: (name: RouteClass) => {
      asked.push(name)
      return Promise.resolve({ ok: true } as const)
    },
    giveBack: () => Promise.resolve(),
  })
  const [shared, local]: [string[], string[]] = [[], []]
  const store = splitLimitStore({ shared: takenFrom(shared), local: takenFrom(local) })
  for (const name of Object.keys(ROUTE_LIMITS) as RouteClass[]) await store.take(name, 'key')
  expect(local.sort()).toEqual(['errorReport', 'messages', 'publicRead', 'read', 'sharedLog', 'staffRead'])
  expect(shared).toEqual(
    expect.arrayContaining([
      'login',
      'loginAccount',
      'factorAccount',
      'register',
      'refresh',
      'order',
      'topup',
      'mailAccount',
      'serverContext',
    ]),
  )
  expect(shared).toHaveLength(Object.keys(ROUTE_LIMITS).length - local.length)
})

test('looking at what goes along about a server is no reading: fifteen looks in a row fit, and a hundred in a minute do not', async () => {
  const name = API_ROUTES['GET /api/ticket-context/{id}'].limit
  const clock = new ManualClock()
  const store = memoryLimitStore(clock, 100)
  const looks = async (count: number) => {
    const answers = []
    for (let at = 0; at < count; at += 1) answers.push((await store.take(name, 'somebody')).ok)
    return answers.filter(Boolean).length
  }
  expect(await looks(15)).toBe(15)
  expect(await looks(85)).toBeLessThan(20)
  expect(ROUTE_LIMITS[name]).not.toHaveProperty('counted')
})
