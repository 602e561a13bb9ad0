import { expect, test } from 'vitest'
import { memoryLimitStore } from '../../../../src/identity/context/limit-store.ts'
import { bucketKey } from '../../../../src/identity/context/limits.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

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
