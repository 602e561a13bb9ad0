import { describe, expect, it } from 'vitest'

import { afterCrash, CRASH_RESTART_DELAY_MS, CRASH_WINDOW_MS } from '../../../../agents/servers/crash-policy.ts'

describe('crash policy', () => {
  it('starts again after a first crash', () => {
    expect(afterCrash([], 1_000)).toEqual({ is: 'restart', delayMs: CRASH_RESTART_DELAY_MS, crashes: [1_000] })
  })

  it('stays down after a second crash within the window, and forgets older ones', () => {
    expect(afterCrash([1_000], 1_000 + CRASH_WINDOW_MS - 1).is).toBe('stay-down')
    expect(afterCrash([1_000], 1_000 + CRASH_WINDOW_MS)).toMatchObject({ is: 'restart', crashes: [61_000] })
  })
})
