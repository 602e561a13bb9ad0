import { expect, test } from 'vitest'
import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import type { RouteClass } from '#contracts/http/limits.ts'
import { memoryLimitStore, splitLimitStore } from '../../../src/identity/limit-store.ts'
import { addressKey, bucketKey, takeFromBucket } from '../../../src/identity/limits.ts'
import { ManualClock } from '../../setup/manual-clock.ts'

test('a bucket takes its burst at once, then one request for each that leaked', () => {
  const { login } = ROUTE_LIMITS
  let emptyAtMs: number | undefined
  for (let at = 0; at < login.burst; at += 1) {
    const decision = takeFromBucket(login, emptyAtMs, 1_000)
    expect(decision.ok).toBe(true)
    if (decision.ok) emptyAtMs = decision.emptyAtMs
  }
  expect(takeFromBucket(login, emptyAtMs, 1_000)).toEqual({ ok: false, retryAfterMs: 15_000 })
  expect(takeFromBucket(login, emptyAtMs, 15_999).ok).toBe(false)
  expect(takeFromBucket(login, emptyAtMs, 16_000).ok).toBe(true)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

test('keys name what the table says', () => {
  const who = { address: '192.0.2.7', account: 'a' }
  expect(bucketKey('login', who)).toBe('login|192.0.2.7')
  expect(bucketKey('loginAccount', who)).toBe('loginAccount|192.0.2.7|a')
  expect(bucketKey('loginAccountGlobal', who)).toBe('loginAccountGlobal|a')
})

test('memory stays bounded under a flood of addresses', async () => {
  const store = memoryLimitStore(new ManualClock(), 100)
  for (let at = 0; at < 1_000; at += 1) await store.take('publicRead', `k${at}`)
  for (let at = 0; at < 600; at += 1) await store.take('publicRead', 'busy')
  expect(await store.take('publicRead', 'busy')).toMatchObject({ ok: false })
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
  expect(local.sort()).toEqual(['errorReport', 'messages', 'publicRead', 'read', 'staffRead'])
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
    ]),
  )
  expect(shared).toHaveLength(Object.keys(ROUTE_LIMITS).length - local.length)
})
