import { describe, expect, it } from 'vitest'
import { formatSignedMoney } from '../../../../src/lib/format/money.ts'

describe('formatSignedMoney', () => {
  it('marks what comes in and what goes out', () => {
    expect(formatSignedMoney(5000, 'hu')).toBe('+5\u00A0000\u00A0Ft')
    expect(formatSignedMoney(-990, 'hu')).toBe('\u2212990\u00A0Ft')
    expect(formatSignedMoney(0, 'hu')).toBe('0\u00A0Ft')
  })
})
