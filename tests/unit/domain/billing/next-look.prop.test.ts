import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deletionAtMs, dueReminder, lifetimePhase } from '#domain/billing/lifetime.ts'
import { nextLookMs } from '#domain/billing/next-look.ts'
import { DAY_MS } from '#domain/billing/period.ts'

const EXPIRY_MS = Date.UTC(2026, 5, 1)

describe('the next look at a server', () => {
  it('is in the future, and misses neither a reminder nor a change of phase', () => {
    const offset = fc.integer({ min: -40 * DAY_MS, max: 5 * DAY_MS })
    fc.assert(
      fc.property(offset, fc.boolean(), (offsetMs, autoRenew) => {
        const nowMs = EXPIRY_MS + offsetMs
        const next = nextLookMs({ expiresAtMs: EXPIRY_MS, autoRenew, nowMs })
        expect(next).toBeGreaterThan(nowMs)
        const justBefore = next - 1
        const facts = (at: number) => [
          lifetimePhase(EXPIRY_MS, at),
          dueReminder({ id: 's', paidFromMs: 0, expiresAtMs: EXPIRY_MS, nowMs: at })?.days,
        ]
        expect(facts(justBefore)).toEqual(facts(nowMs))
      }),
    )
  })

  it.each([
    [-30 * DAY_MS, false, EXPIRY_MS - 7 * DAY_MS],
    [-7 * DAY_MS, false, EXPIRY_MS - 3 * DAY_MS],
    [-1, false, EXPIRY_MS],
    [0, false, deletionAtMs(EXPIRY_MS)],
    [-DAY_MS, true, EXPIRY_MS - DAY_MS + 300_000],
    [DAY_MS, true, EXPIRY_MS + DAY_MS + 300_000],
    [4 * DAY_MS, false, EXPIRY_MS + 4 * DAY_MS + 300_000],
  ])('at %d ms from the expiry, automatic renewal %s', (offsetMs, autoRenew, expected) => {
    expect(nextLookMs({ expiresAtMs: EXPIRY_MS, autoRenew, nowMs: EXPIRY_MS + offsetMs })).toBe(expected)
  })

  it.each([
    [1, 1],
    [0, 300_000],
    [-DAY_MS, 300_000],
  ])(
    'comes in time for a paid change of the package, and soon again while that waits: %d ms -> %d ms',
    (inMs, expectedMs) => {
      const nowMs = EXPIRY_MS - 20 * DAY_MS
      const look = nextLookMs({ expiresAtMs: EXPIRY_MS, autoRenew: false, nowMs, changesAtMs: nowMs + inMs })
      expect(look - nowMs).toBe(expectedMs)
    },
  )
})
