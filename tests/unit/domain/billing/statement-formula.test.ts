import { describe, expect, it } from 'vitest'
import { upgradeCharge } from '#domain/billing/modification.ts'
import { forints } from '#domain/billing/money.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { discountPercentOf, explainUpgrade } from '#domain/billing/statement-formula.ts'

describe('the percentage that a rounded discount was made by', () => {
  it.each([
    [297, 2970, 10],
    [99, 990, 10],
    [148, 990, 15],
    [25, 100, 25],
  ])('%i Ft of %i Ft is %i percent', (discountFt, ofFt, percent) => {
    expect(discountPercentOf(discountFt, ofFt)).toBe(percent)
  })

  it('is not told below 100 Ft, where several would fit', () => {
    expect(discountPercentOf(10, 99)).toBeNull()
  })
})

describe('how the charge for more resources came about', () => {
  const change = (leftMs: number, percent: number, [from, to]: [bigint, bigint] = [990n, 1990n]) => ({
    fromMonthlyFt: from,
    toMonthlyFt: to,
    leftMs,
    chargeFt: upgradeCharge(forints(to - from), leftMs, percent).minor,
  })

  it('is its days alone without a discount', () => {
    expect(explainUpgrade(change(15 * DAY_MS, 0))).toEqual({
      days: 15,
      wholeFt: 500,
      discountFt: 0,
      discountPercent: null,
    })
  })

  it('is its days, less a discount that is told by its percentage', () => {
    expect(explainUpgrade(change(15 * DAY_MS, 10))).toEqual({
      days: 15,
      wholeFt: 500,
      discountFt: 50,
      discountPercent: 10,
    })
  })

  it('tells the days to two decimals, because the price goes by the time', () => {
    expect(explainUpgrade(change(Math.round(10.256 * DAY_MS), 0)).days).toBe(10.26)
  })

  it.each([1, 7, 13.5, 29.99])('comes to what was charged for %d days, whatever was rounded', (days) => {
    for (const percent of [0, 5, 10, 20]) {
      const paid = change(Math.round(days * DAY_MS), percent, [1490n, 5230n])
      const { wholeFt, discountFt } = explainUpgrade(paid)
      expect(wholeFt - discountFt).toBe(Number(paid.chargeFt))
    }
  })
})
