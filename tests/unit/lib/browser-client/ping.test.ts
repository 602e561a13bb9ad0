import { expect, test } from 'vitest'
import { measurePing } from '../../../../src/lib/browser-client/ping.ts'

/** A node that takes these times, and the clock that they are measured by. */
const nodeWith = (timesMs: readonly number[]) => {
  let nowMs = 0
  const asked: string[] = []
  return {
    asked,
    measuring: {
      now: () => nowMs,
      request: async (url: string) => {
        nowMs += timesMs[asked.push(url) - 1] ?? 0
      },
    },
  }
}

test('the ping is the shortest answer after the one that opens the connection', async () => {
  const { measuring, asked } = nodeWith([2, 40, 19.4, 25])
  expect(await measurePing('https://node.test/ping', measuring)).toBe(19)
  expect(asked).toEqual(Array.from({ length: 4 }, () => 'https://node.test/ping'))
})

test('a node beside the reader has a ping of one, not of zero', async () => {
  expect(await measurePing('https://node.test/ping', nodeWith([1, 0.1, 0.1, 0.1]).measuring)).toBe(1)
})

test('a node that cannot be reached has no ping', async () => {
  const request = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await measurePing('https://node.test/ping', { request, now: () => 0 })).toBeNull()
})
