import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHealth } from '#platform/health.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('a process is ready', () => {
  it('when each of its parts works, and names those that do not', async () => {
    const health = createHealth()
    health.add('database', async () => {})
    expect(await health.readiness()).toEqual({ ready: true, missing: [] })
    health.add('redis', () => {
      throw new Error('evicts keys')
    })
    expect(await health.readiness()).toEqual({ ready: false, missing: [{ name: 'redis', reason: 'evicts keys' }] })
  })

  it('only if its parts answer within 3 seconds', async () => {
    const health = createHealth()
    health.add('database', () => new Promise(() => {}))
    const readiness = health.readiness()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await readiness).toEqual({
      ready: false,
      missing: [{ name: 'database', reason: 'no answer within 3000 ms' }],
    })
  })

  it('until it is stopping', async () => {
    const health = createHealth()
    health.drain()
    expect(await health.readiness()).toMatchObject({ ready: false, missing: [{ name: 'process' }] })
  })
})
