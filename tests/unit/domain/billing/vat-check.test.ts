import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { VAT_CHECK_LASTS_MS } from '#domain/billing/tax-rule.ts'
import { nextCheckMs, retryCheckMs, vatCheckState } from '#domain/billing/vat-check.ts'

const NOW = Date.UTC(2026, 10, 22)

describe('the check of a VAT number', () => {
  it('comes again before a positive answer is too old, and after a week for a negative one', () => {
    expect(nextCheckMs(true, NOW) - NOW).toBe(VAT_CHECK_LASTS_MS - 5 * DAY_MS)
    expect(nextCheckMs(false, NOW) - NOW).toBe(7 * DAY_MS)
  })

  it('without an answer comes again later each time, within six hours', () => {
    fc.assert(
      fc.property(fc.nat(1_000), (tries) => {
        const [now, then] = [retryCheckMs(tries, NOW) - NOW, retryCheckMs(tries + 1, NOW) - NOW]
        expect(now).toBeGreaterThanOrEqual(120_000)
        expect(then).toBeGreaterThanOrEqual(now)
        expect(then).toBeLessThanOrEqual(6 * 3_600_000)
      }),
    )
  })

  it.each([
    ['waiting', { isValid: null, checkedAtMs: null, tries: 0 }],
    ['unavailable', { isValid: null, checkedAtMs: null, tries: 3 }],
    ['valid', { isValid: true, checkedAtMs: NOW - VAT_CHECK_LASTS_MS, tries: 2 }],
    ['unavailable', { isValid: true, checkedAtMs: NOW - VAT_CHECK_LASTS_MS - 1, tries: 2 }],
    ['invalid', { isValid: false, checkedAtMs: NOW - VAT_CHECK_LASTS_MS - 1, tries: 0 }],
  ] as const)('is told as %s', (state, check) => {
    expect(vatCheckState(check, NOW)).toBe(state)
  })
})
