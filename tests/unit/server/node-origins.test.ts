import { expect, onTestFinished, test, vi } from 'vitest'
import { controlPlaneAt } from '../../../src/lib/site/control-plane-client.ts'
import { toOrigins, watchNodeOrigins } from '../../../src/server/node-origins.ts'

test('a computer is named by its origin, for fetch and for sockets', () => {
  expect(
    toOrigins(['https://node1.test:8080/x', 'wss://node1.test:8080/api/ws/gateway', 'http://127.0.0.1:8080']),
  ).toEqual(['http://127.0.0.1:8080', 'https://node1.test:8080', 'ws://127.0.0.1:8080', 'wss://node1.test:8080'])
})

test('nothing else reaches the policy', () => {
  expect(toOrigins(["*; script-src 'unsafe-inline'", 'javascript:alert(1)', 'data:x', 'https://*', ''])).toEqual([])
})

test('the last known origins stay while the control plane is away, which is reported once', async () => {
  let isUp = true
  const body = { gateway: 'ws://gateway.test:4000', origins: ['http://node.test:8080'] }
  const controlPlane = controlPlaneAt({ url: 'http://control-plane.test', secret: 's' }, () =>
    isUp ? Promise.resolve(Response.json(body)) : Promise.reject(new Error('refused')),
  )
  const failures: unknown[] = []
  const watched = watchNodeOrigins(controlPlane, (error) => failures.push(error))
  onTestFinished(() => watched.stop())
  await watched.refresh()
  const known = watched.current()
  expect(known).toContain('http://node.test:8080')
  isUp = false
  for (let at = 0; at < 3; at += 1) {
    await watched.refresh()
    expect([watched.current(), watched.isDown()]).toEqual([known, true])
  }
  expect(failures).toHaveLength(1)
  isUp = true
  await watched.refresh()
  expect([watched.current(), watched.isDown()]).toEqual([known, false])
  isUp = false
  await watched.refresh()
  expect(failures).toHaveLength(2)
})

test('the control plane is asked often until it answers for the first time, and every four seconds from then on', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  let isUp = false
  const controlPlane = controlPlaneAt({ url: 'http://control-plane.test', secret: 's' }, () => {
    asked += 1
    const body = { gateway: 'ws://gateway.test:4000', origins: ['http://node.test:8080'] }
    return isUp ? Promise.resolve(Response.json(body)) : Promise.reject(new Error('refused'))
  })
  const watched = watchNodeOrigins(controlPlane)
  await vi.advanceTimersByTimeAsync(1_100)
  expect(asked).toBeGreaterThanOrEqual(4)
  expect(watched.isDown()).toBe(true)
  isUp = true
  await vi.advanceTimersByTimeAsync(300)
  expect(watched.current()).toContain('ws://node.test:8080')
  expect(watched.isDown()).toBe(false)
  const before = asked
  await vi.advanceTimersByTimeAsync(3_500)
  expect(asked).toBe(before)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toBe(before + 1)
  watched.stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked).toBe(before + 1)
})
