import { Redis } from 'ioredis'
import { expect, test } from 'vitest'

import { assertOwnListener } from '../../support/own-process.ts'
import { startTestRedis } from '../../support/redis.ts'

test('a test has a Redis of its own, which ends with it', async () => {
  const [one, other] = await Promise.all([startTestRedis(), startTestRedis()])
  assertOwnListener(one.port, one.pid)
  expect(() => assertOwnListener(one.port, other.pid)).toThrow('is not answered by process')
  const client = new Redis(one.url)
  await client.set('a', '1')
  expect(await client.get('a')).toBe('1')
  await client.quit()
  await one.stop()
  await other.stop()
  expect(() => assertOwnListener(one.port, one.pid)).toThrow('is not answered by process')
})
