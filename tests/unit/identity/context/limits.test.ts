import { expect, test } from 'vitest'
import { memoryLimitStore, splitLimitStore } from '../../../../src/identity/context/limit-store.ts'
import { bucketKey } from '../../../../src/identity/context/limits.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import type { RouteClass } from '#contracts/http/limits.ts'

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
