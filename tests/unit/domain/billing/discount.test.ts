import { expect, it } from 'vitest'
import { isPercent, monthlySavingFt, percentOf } from '#domain/billing/discount.ts'
import { forints } from '#domain/billing/money.ts'
import { renewalPrice } from '#domain/billing/renewal.ts'

it.each([
  [990n, 5, 50n],
  [990n, 0, 0n],
  [990n, 100, 990n],
  [1n, 50, 1n],
  [1n, 49, 0n],
])('takes of %s Ft %s percent: %s Ft', (amount, percent, expected) => {
  expect(percentOf(forints(amount), percent)).toEqual(forints(expected))
})

it.each([-1, 101, 1.5, Number.NaN])('refuses %s percent', (percent) => {
  expect(isPercent(percent)).toBe(false)
  expect(() => percentOf(forints(1n), percent)).toThrow(RangeError)
})

it('adds up what a discount takes off each renewal, rounded as each is charged', () => {
  expect(monthlySavingFt([990, 990, 590], 5)).toBe(50 + 50 + 30)
  for (const priceFt of [1, 9, 49, 990, 1_234]) {
    expect(monthlySavingFt([priceFt], 7)).toBe(Number(renewalPrice(forints(BigInt(priceFt)), 1, 7).discount.minor))
  }
  expect(monthlySavingFt([], 15)).toBe(0)
})
