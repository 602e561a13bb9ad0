import { describe, expect, it } from 'vitest'

import { Throttle } from '../../../../agents/console/throttle.ts'

describe('throttle', () => {
  it('lets a window through and then waits for the rest of it', () => {
    const throttle = new Throttle({ lines: 10, bytes: 1_000, windowMs: 100 })
    expect(throttle.take(10, 100, 0)).toBe(0)
    expect(throttle.take(1, 10, 30)).toBe(70)
    expect(throttle.take(5, 10, 100)).toBe(0)
  })

  it('counts bytes too, and starts anew when the clock goes back', () => {
    const throttle = new Throttle({ lines: 10, bytes: 1_000, windowMs: 100 })
    expect(throttle.take(1, 1_001, 500)).toBe(100)
    expect(throttle.take(1, 1, 400)).toBe(0)
  })
})
