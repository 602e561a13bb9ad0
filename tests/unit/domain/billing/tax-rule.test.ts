import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COUNTRY_CODES, countryCode } from '#domain/billing/country.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import {
  readVatNumber,
  TAX_KINDS,
  TAX_TABLES,
  taxRuleFor,
  taxTableAt,
  vatNumberOf,
  VAT_CHECK_LASTS_MS,
} from '#domain/billing/tax-rule.ts'

const NOW = Date.UTC(2026, 10, 22)
const checked = (number: string, changes: Partial<{ isValid: boolean; checkedAtMs: number }> = {}) => ({
  number,
  isValid: true,
  checkedAtMs: NOW,
  ...changes,
})

describe('tax rule', () => {
  it('knows the 27 member states once each', () => {
    expect(Object.keys(taxTableAt(NOW).standardRates)).toHaveLength(27)
    expect(Object.keys(taxTableAt(NOW).standardRates).every((code) => COUNTRY_CODES.includes(code))).toBe(true)
  })

  it('has tables in the order of their days, with versions of their own', () => {
    expect(TAX_TABLES.map(({ fromMs }) => fromMs)).toEqual(
      TAX_TABLES.map(({ fromMs }) => fromMs).toSorted((a, b) => a - b),
    )
    expect(new Set(TAX_TABLES.map(({ version }) => version)).size).toBe(TAX_TABLES.length)
  })

  it('takes the table of the tax point', () => {
    const tables = [
      { version: 'a', fromMs: 10, standardRates: { HU: 1n } },
      { version: 'b', fromMs: 20, standardRates: { HU: 2n } },
    ]
    expect([0, 10, 19, 20, 99].map((atMs) => taxTableAt(atMs, tables).version)).toEqual(['a', 'a', 'a', 'b', 'b'])
    expect(() => taxTableAt(0, [])).toThrow(RangeError)
  })

  it.each([
    ['HU', undefined, 'domestic', 2700n],
    ['HU', checked('HU12345678'), 'domestic', 2700n],
    ['DE', undefined, 'eu-consumer', 1900n],
    ['EL', undefined, 'eu-consumer', 2400n],
    ['FI', undefined, 'eu-consumer', 2550n],
    ['DE', checked('DE 123.456.789'), 'eu-reverse-charge', 0n],
    ['GR', checked('EL123456789'), 'eu-reverse-charge', 0n],
    ['DE', checked('DE123456789', { isValid: false }), 'eu-consumer', 1900n],
    ['DE', checked('AT123456789'), 'eu-consumer', 1900n],
    ['DE', checked('rubbish'), 'eu-consumer', 1900n],
    ['DE', checked('DE123456789', { checkedAtMs: NOW - VAT_CHECK_LASTS_MS }), 'eu-reverse-charge', 0n],
    ['DE', checked('DE123456789', { checkedAtMs: NOW - VAT_CHECK_LASTS_MS - 1 }), 'eu-consumer', 1900n],
    ['DE', checked('DE123456789', { checkedAtMs: NOW + DAY_MS }), 'eu-reverse-charge', 0n],
    ['US', undefined, 'outside-eu', 0n],
    ['GB', checked('GB123456789'), 'outside-eu', 0n],
  ])('taxes a customer in %s with %j as %s', (country, vatNumber, kind, rateBasisPoints) => {
    const rule = taxRuleFor({ country, vatNumber }, NOW)
    expect(rule).toMatchObject({ ok: true, kind, rateBasisPoints, version: '2025-08-01' })
  })

  it('puts the number on a reverse charge alone, and a rule id on each', () => {
    expect(taxRuleFor({ country: 'DE', vatNumber: checked('de123456789') }, NOW)).toMatchObject({
      ruleId: 'eu-reverse-charge',
      vatNumber: 'DE123456789',
    })
    expect(taxRuleFor({ country: 'AT' }, NOW)).not.toHaveProperty('vatNumber')
    expect(taxRuleFor({ country: 'AT' }, NOW)).toMatchObject({ ruleId: 'eu-consumer-AT' })
  })

  it.each(['', 'XX', 'Hungary', 'H', 7, null])('refuses the country %j', (country) => {
    expect(taxRuleFor({ country: country as string }, NOW)).toEqual({ ok: false, code: 'COUNTRY_UNKNOWN' })
    expect(countryCode(country)).toBeUndefined()
  })

  it('answers one rule of the four for every country there is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COUNTRY_CODES), (country) => {
        const rule = taxRuleFor({ country }, NOW)
        if (!rule.ok) throw new Error(rule.code)
        expect(TAX_KINDS).toContain(rule.kind)
        expect(rule.rateBasisPoints > 0n).toBe(Object.hasOwn(taxTableAt(NOW).standardRates, country))
      }),
    )
  })

  it.each([
    ['hu-12345678', { country: 'HU', number: 'HU12345678' }],
    ['EL 123456789', { country: 'GR', number: 'EL123456789' }],
    ['ATU12345678', { country: 'AT', number: 'ATU12345678' }],
    ['GR123456789', undefined],
    ['XX123', undefined],
    ['DEABC', undefined],
    ['12345678-1-42', undefined],
    ['DE1234567890123', undefined],
    ['D'.repeat(100), undefined],
    [5, undefined],
  ])('reads the VAT number %j', (value, expected) => {
    expect(readVatNumber(value)).toEqual(expected)
  })
})

describe('the VAT number of a billing profile', () => {
  it.each([
    ['DE', 'DE136695976', 'DE136695976'],
    ['DE', 'de 136-695.976', 'DE136695976'],
    ['DE', '136695976', 'DE136695976'],
    ['GR', '123456789', 'EL123456789'],
    ['GR', 'EL123456789', 'EL123456789'],
    ['AT', 'U12345678', 'ATU12345678'],
    ['FR', 'XX999999999', 'FRXX999999999'],
    ['AT', 'DE136695976', undefined],
    ['DE', '', undefined],
    ['DE', '--', undefined],
    ['US', '123456789', undefined],
    ['XX', '123456789', undefined],
  ])('in %s written "%s" is %s', (country, taxNumber, number) => {
    expect(vatNumberOf({ country, taxNumber })).toBe(number)
  })
})
