import { describe, expect, it } from 'vitest'
import { formatCount, formatMoney } from '#domain/billing/money-text.ts'

describe('formatMoney', () => {
  it.each([
    ['hu', 1990, '1\u00A0990\u00A0Ft'],
    ['hu', 580, '580\u00A0Ft'],
    ['hu', 0, '0\u00A0Ft'],
    ['hu', -0, '0\u00A0Ft'],
    ['hu', 1_234_567, '1\u00A0234\u00A0567\u00A0Ft'],
    ['hu', -500, '\u2212500\u00A0Ft'],
    ['hu', 9_007_199_254_740_993n, '9\u00A0007\u00A0199\u00A0254\u00A0740\u00A0993\u00A0Ft'],
    ['de', 1990, '1.990\u00A0Ft'],
    ['en', 580, '580\u00A0Ft'],
    ['en', 1990, '1,990\u00A0Ft'],
    ['en', 5000n, '5,000\u00A0Ft'],
  ] as const)('%s: %s is %s', (locale, amount, text) => {
    expect(formatMoney(amount, locale)).toBe(text)
  })

  it('has no space at which a line may break', () => {
    for (const locale of ['en', 'hu', 'de']) expect(formatMoney(-12_345_678, locale)).not.toMatch(/[ \u202F]/)
  })
})

describe('formatCount', () => {
  it('groups as money does, with one decimal at most', () => {
    expect(formatCount(1990, 'hu')).toBe('1\u00A0990')
    expect(formatCount(99.94, 'hu')).toBe('99,9')
    expect(formatCount(99.9, 'en')).toBe('99.9')
  })
})
