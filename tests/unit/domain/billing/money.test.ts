import { describe, expect, it } from 'vitest'
import {
  add,
  allocate,
  divideRounded,
  forints,
  isLess,
  MAX_MINOR,
  money,
  negate,
  subtract,
  sum,
  times,
  type Money,
} from '#domain/billing/money.ts'

describe('money', () => {
  it('counts whole forints', () => {
    expect(forints(1990n)).toEqual({ minor: 1990n, currency: 'HUF' })
    expect(add(forints(500n), forints(490n))).toEqual(forints(990n))
    expect(subtract(forints(500n), forints(990n))).toEqual(forints(-490n))
    expect(times(forints(990n), 6n)).toEqual(forints(5940n))
    expect(negate(forints(1n))).toEqual(forints(-1n))
    expect(sum([forints(1n), forints(2n)], 'HUF')).toEqual(forints(3n))
    expect(isLess(forints(1n), forints(2n))).toBe(true)
  })

  it('refuses a currency that is not enabled', () => {
    expect(() => money(1n, 'EUR')).toThrow(RangeError)
    expect(() => money(1n, 'XXX' as Money['currency'])).toThrow(RangeError)
  })

  it('refuses to mix currencies', () => {
    expect(() => add(forints(1n), { minor: 1n, currency: 'EUR' })).toThrow(/mix/)
  })

  it('refuses what PostgreSQL cannot store', () => {
    expect(money(MAX_MINOR, 'HUF').minor).toBe(MAX_MINOR)
    expect(() => add(forints(MAX_MINOR), forints(1n))).toThrow(RangeError)
  })

  it.each([
    [990n * 100n, 127n, 780n],
    [3n, 2n, 2n],
    [-3n, 2n, -2n],
    [1n, 3n, 0n],
    [-1n, 3n, 0n],
  ])('rounds %s / %s half away from zero to %s', (numerator, denominator, expected) => {
    expect(divideRounded(numerator, denominator)).toBe(expected)
  })

  it('gives leftovers of an allocation to the earliest parts', () => {
    expect(allocate(forints(100n), [1n, 1n, 1n]).map((part) => part.minor)).toEqual([34n, 33n, 33n])
    expect(allocate(forints(-5n), [0n, 1n, 1n]).map((part) => part.minor)).toEqual([0n, -3n, -2n])
    expect(() => allocate(forints(1n), [])).toThrow(RangeError)
    expect(() => allocate(forints(1n), [-1n, 2n])).toThrow(RangeError)
  })
})
