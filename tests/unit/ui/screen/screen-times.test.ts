import { expect, test } from 'vitest'
import { screenTimes } from '../../../../src/ui/screen/screen-times.ts'

test('the times of a screen are those of the specification and of clarifications, part 3', () => {
  expect(screenTimes).toEqual({
    progressThrottleMs: 200,
    progressRunMs: 5_000,
    prefetchIdleTimeoutMs: 2_000,
    loadingAtLeastMs: 200,
    loadingAfterMs: 150,
    linkStateEveryMs: 500,
    chunkReloadPauseMs: 60_000,
    leaveUnknownAfterMs: 5_000,
    messagesEveryMs: 3_000,
    stopTakenBackMs: 5_000,
  })
})

test('an open page hears of a message within 5 s, also when it has just asked and the site has just read', () => {
  const siteReadsEveryMs = 1_000
  expect(screenTimes.messagesEveryMs + siteReadsEveryMs).toBeLessThan(5_000)
})
