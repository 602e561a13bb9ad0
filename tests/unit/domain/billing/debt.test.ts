import { describe, expect, it } from 'vitest'
import { debtPaidBy } from '#domain/billing/debt.ts'

describe('what of a debt free money pays', () => {
  it.each([
    [0n, 5_000n, 0n],
    [700n, 5_000n, 700n],
    [5_000n, 5_000n, 5_000n],
    [9_000n, 5_000n, 5_000n],
    [700n, 0n, 0n],
    [700n, -200n, 0n],
  ])('a debt of %s Ft and %s Ft in the wallet: %s Ft', (debtFt, freeFt, paidFt) => {
    expect(debtPaidBy(debtFt, freeFt)).toBe(paidFt)
  })
})
