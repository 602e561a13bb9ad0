import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LEAST_REPLIES, replyTime } from '#domain/tickets/reply-time.ts'

it('says nothing below ten replies', () => {
  const waits = Array.from({ length: LEAST_REPLIES }, (_, at) => (at + 1) * 1_000)
  expect(replyTime(waits.slice(1))).toBeNull()
  expect(replyTime(waits)).toEqual({ medianMs: 5_000, ninetyPercentMs: 9_000 })
})

it('half of the waits are at most the median, nine of ten at most the other, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: LEAST_REPLIES, maxLength: 200 }), (waits) => {
      const found = replyTime(waits)
      const within = (ms: number) => waits.filter((wait) => wait <= ms).length / waits.length
      expect(found).not.toBeNull()
      expect(within(found?.medianMs ?? -1)).toBeGreaterThanOrEqual(0.5)
      expect(within(found?.ninetyPercentMs ?? -1)).toBeGreaterThanOrEqual(0.9)
      expect(replyTime(waits.toReversed())).toEqual(found)
    }),
  )
})
