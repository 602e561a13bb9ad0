import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  confirmClock,
  MAX_CLOCK_JUMP_MS,
  mayBill,
  observeClock,
  type ClockReading,
  type ClockWatch,
} from '#domain/billing/clock-jump.ts'

const START = Date.UTC(2026, 10, 22)
const reading = (changes: Partial<ClockReading> = {}): ClockReading => ({
  wallMs: START,
  steadyMs: 0,
  bootId: 'a',
  ...changes,
})
const watched = (...readings: ClockReading[]): ClockWatch => readings.reduce(observeClock, {})

describe('clock watch', () => {
  it('does not let anything run before its first reading', () => {
    expect(mayBill({})).toBe(false)
    expect(mayBill(watched(reading()))).toBe(true)
  })

  it.each([
    [MAX_CLOCK_JUMP_MS, true],
    [-MAX_CLOCK_JUMP_MS, true],
    [MAX_CLOCK_JUMP_MS + 1, false],
    [-MAX_CLOCK_JUMP_MS - 1, false],
  ])('after a jump of %s ms: may bill %s', (jumpMs, expected) => {
    expect(mayBill(watched(reading(), reading({ wallMs: START + 60_000 + jumpMs, steadyMs: 60_000 })))).toBe(expected)
  })

  it('adds small steps up', () => {
    const steps = Array.from({ length: 6 }, (_, index) =>
      reading({ wallMs: START + index * 61_000, steadyMs: index * 1000 }),
    )
    expect(watched(...steps.slice(0, 6)).stopped).toBeUndefined()
    expect(watched(...steps, reading({ wallMs: START + 6 * 61_000, steadyMs: 6000 })).stopped).toMatchObject({
      kind: 'moved',
    })
  })

  it('notices over a restart a clock that is behind, and takes a pause for a pause', () => {
    expect(watched(reading(), reading({ wallMs: START - 6 * 60_000, bootId: 'b' })).stopped).toMatchObject({
      kind: 'back-after-restart',
      jumpMs: -6 * 60_000,
    })
    expect(mayBill(watched(reading(), reading({ wallMs: START + 86_400_000, bootId: 'b' })))).toBe(true)
  })

  it('compares with a reference where there is one, in both directions', () => {
    for (const offsetMs of [6 * 60_000, -6 * 60_000]) {
      expect(watched(reading({ referenceMs: START + offsetMs })).stopped).toMatchObject({
        kind: 'apart-from-reference',
      })
    }
    expect(mayBill(watched(reading({ referenceMs: START + 1000 })))).toBe(true)
  })

  it('stays stopped when the clock goes back, until staff confirm', () => {
    const back = watched(reading(), reading({ wallMs: START + 3_600_000, steadyMs: 1 }), reading({ steadyMs: 2 }))
    expect(mayBill(back)).toBe(false)
    const confirmed = confirmClock(reading({ wallMs: START + 3_600_000, steadyMs: 3 }))
    expect(mayBill(confirmed)).toBe(true)
    expect(mayBill(observeClock(confirmed, reading({ wallMs: START + 3_601_000, steadyMs: 1003 })))).toBe(true)
  })

  it('runs only while no reading is further from the steady clock than five minutes', () => {
    const offsets = fc.array(fc.integer({ min: -10 * 60_000, max: 10 * 60_000 }), { maxLength: 20 })
    fc.assert(
      fc.property(offsets, (each) => {
        const readings = each.map((offsetMs, index) =>
          reading({ wallMs: START + index * 1000 + offsetMs, steadyMs: index * 1000 }),
        )
        const [first = 0] = each
        const isSteady = each.every((offsetMs) => Math.abs(offsetMs - first) <= MAX_CLOCK_JUMP_MS)
        expect(mayBill(watched(...readings))).toBe(each.length > 0 && isSteady)
      }),
    )
  })
})
