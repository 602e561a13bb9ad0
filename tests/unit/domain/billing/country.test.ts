import { expect, it } from 'vitest'
import { COUNTRY_CODES, countryCode, HOME_COUNTRY } from '#domain/billing/country.ts'

it('knows the 249 countries of ISO 3166-1, ours among them', () => {
  expect(new Set(COUNTRY_CODES).size).toBe(249)
  expect(COUNTRY_CODES).toContain(HOME_COUNTRY)
})

it.each([
  [' hu ', 'HU'],
  ['el', 'GR'],
  ['GR', 'GR'],
  ['EU', undefined],
  ['toString', undefined],
  [undefined, undefined],
])('reads %j as %s', (value, expected) => {
  expect(countryCode(value)).toBe(expected)
})
