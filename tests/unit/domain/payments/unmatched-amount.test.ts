import { describe, expect, it } from 'vitest'
import { assignedFt, maximumAssignedFt, type UnmatchedAmount } from '#domain/payments/unmatched-amount.ts'

const unmatched = (
  minor: bigint,
  currency: string,
  exponent: number,
  forwardedFt: bigint | null = null,
): UnmatchedAmount => ({
  amount: { minor, currency, exponent },
  forwardedFt,
})

describe('what staff may give for an unmatched payment', () => {
  it.each([
    ['what is handed over', unmatched(190_500n, 'HUF', 2, 800n), 800n],
    ['whole forints of a fraction', unmatched(199_050n, 'HUF', 2), 1990n],
    ['a thousand forints for each unit of another currency', unmatched(1_990n, 'EUR', 2), 19_900n],
    ['never more than one top-up of another currency', unmatched(10n ** 12n, 'USD', 2), 1_000_000n],
    ['nothing of nothing', unmatched(0n, 'EUR', 2), 0n],
    ['nothing of less than nothing', unmatched(-5n, 'HUF', 0), 0n],
  ])('is at most %s', (_what, money, most) => expect(maximumAssignedFt(money)).toBe(most))

  it('is what is known, and nothing else where it is known', () => {
    const known = unmatched(250_000n, 'HUF', 2, 2500n)
    expect(assignedFt(known, undefined)).toBe(2500n)
    expect(assignedFt(known, 2500)).toBe(2500n)
    for (const said of [2499, 2501, 0, -1]) expect(assignedFt(known, said)).toBeUndefined()
  })

  it('is what they say within the bound where it is not known', () => {
    const euros = unmatched(1_000n, 'EUR', 2)
    expect(assignedFt(euros, 3_900)).toBe(3_900n)
    for (const said of [undefined, 10_001, 0, -1, 0.5, Number.NaN, 2 ** 63])
      expect(assignedFt(euros, said)).toBeUndefined()
  })
})
