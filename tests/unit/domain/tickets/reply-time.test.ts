import { expect, it } from 'vitest'
import { LEAST_REPLIES, replyTime } from '#domain/tickets/reply-time.ts'

it('says nothing below ten replies, and nothing without one', () => {
  const waits = [5_000, 9_000]
  expect(replyTime({ replies: LEAST_REPLIES - 1, waits })).toBeNull()
  expect(replyTime(undefined)).toBeNull()
  expect(replyTime({ replies: LEAST_REPLIES, waits })).toEqual({ medianMs: 5_000, ninetyPercentMs: 9_000 })
})
