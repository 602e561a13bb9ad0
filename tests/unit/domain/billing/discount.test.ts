import { expect, it } from 'vitest'
import { isPercent, percentOf } from '#domain/billing/discount.ts'
import { forints } from '#domain/billing/money.ts'

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
