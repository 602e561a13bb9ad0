import { expect, test } from 'vitest'
import { ageOf } from '../../../src/features/billing/age.ts'
import { readAmount } from '../../../src/features/billing/forint-input.ts'
import { runwayOf } from '../../../src/features/billing/runway.ts'

const day = 24 * 60 * 60 * 1_000
const server = (id: string, days: number, monthlyPriceFt: number) => ({
  id,
  name: id,
  identifier: `${id}xxxxxxx`,
  expiry: new Date(days * day).toISOString(),
  monthlyPriceFt,
})
const window = { nowMs: 0, days: 30 }

test.each([
  ['5 000', { ok: true, amountFt: 5_000 }],
  ['5\u00A0000', { ok: true, amountFt: 5_000 }],
  ['500', { ok: true, amountFt: 500 }],
  ['499', { ok: false, code: 'tooSmall' }],
  ['0', { ok: false, code: 'tooSmall' }],
  ['', { ok: false, code: 'empty' }],
  ['10,5', { ok: false, code: 'notWhole' }],
  ['10.000', { ok: false, code: 'notWhole' }],
  ['1e3', { ok: false, code: 'notWhole' }],
  ['-600', { ok: false, code: 'notWhole' }],
  ['٥٠٠', { ok: false, code: 'notWhole' }],
  ['1000001', { ok: false, code: 'tooLarge' }],
  ['9999999999999999', { ok: false, code: 'tooLarge' }],
])('%j is read as %o', (typed, expected) => {
  expect(readAmount(typed, 'hu')).toEqual(expected)
})

test.each([
  ['5,000', 'en', { ok: true, amountFt: 5_000 }],
  ['5.000', 'de', { ok: true, amountFt: 5_000 }],
  ['1,000,000', 'en', { ok: true, amountFt: 1_000_000 }],
  ['10,5', 'en', { ok: false, code: 'notWhole' }],
  ['10,50', 'en', { ok: false, code: 'notWhole' }],
  ['5000,000', 'en', { ok: false, code: 'notWhole' }],
  ['5.000', 'en', { ok: false, code: 'notWhole' }],
  ['5,000', 'de', { ok: false, code: 'notWhole' }],
])('%j in %s, as the page itself groups it, is read as %o', (typed, locale, expected) => {
  expect(readAmount(typed, locale)).toEqual(expected)
})

test('renewals come off the balance in their order, and the first that is not covered is named', () => {
  const runway = runwayOf(3_000, [server('c', 20, 900), server('a', 3, 1_500), server('b', 7, 1_000)], window)
  expect(runway.dues.map(({ id, leftFt }) => [id, leftFt])).toEqual([
    ['a', 1_500],
    ['b', 500],
    ['c', -400],
  ])
  expect(runway.totalFt).toBe(3_400)
  expect(runway.short?.id).toBe('c')
})

test('a renewal that is later than the window, or free, is not due; all covered means nothing is short', () => {
  const runway = runwayOf(100, [server('a', 31, 900), server('b', 5, 0), server('c', 30, 100)], window)
  expect(runway.dues.map(({ id }) => id)).toEqual(['c'])
  expect(runway.short).toBeNull()
})

test('age in its largest whole unit', () => {
  const at = new Date(0).toISOString()
  expect(ageOf(at, 30_000)).toEqual({ unit: 'now', count: 0 })
  expect(ageOf(at, 4 * 60_000)).toEqual({ unit: 'minutes', count: 4 })
  expect(ageOf(at, 3 * 3_600_000)).toEqual({ unit: 'hours', count: 3 })
  expect(ageOf(at, 3 * day)).toEqual({ unit: 'days', count: 3 })
})

test('the bounds of an amount are those of the method', () => {
  const bounds = { minimumFt: 1_000, maximumFt: 5_000 }
  expect(readAmount('999', 'en', bounds)).toEqual({ ok: false, code: 'tooSmall' })
  expect(readAmount('5000', 'en', bounds)).toEqual({ ok: true, amountFt: 5_000 })
  expect(readAmount('5001', 'en', bounds)).toEqual({ ok: false, code: 'tooLarge' })
})
