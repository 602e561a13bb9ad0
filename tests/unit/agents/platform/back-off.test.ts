import { describe, expect, it } from 'vitest'

import { MAX_DELAY_MS, reconnectDelayMs } from '../../../../agents/platform/back-off.ts'

describe('reconnect', () => {
  it('waits longer each time up to a limit, and leaves half to chance', () => {
    expect([0, 1, 2, 30].map((attempt) => reconnectDelayMs(attempt, () => 1))).toEqual([
      500,
      1_000,
      2_000,
      MAX_DELAY_MS,
    ])
    expect(reconnectDelayMs(30, () => 0)).toBe(MAX_DELAY_MS / 2)
  })
})
