import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { inHouseUnits, inProviderUnits, observedAmount, type ObservedAmount } from '#domain/payments/payment-amount.ts'
import { mismatchOf } from '#domain/payments/payment-match.ts'

const id = '0197c0de-0000-7000-8000-000000000001'
const of = (minor: bigint, currency = 'HUF', exponent = 0): ObservedAmount => ({ minor, currency, exponent })

describe('what a provider states', () => {
  it.each([
    ['Stripe', 2, 199_000n],
    ['Barion', 0, 1_990n],
    ['PayPal', 0, 1_990n],
  ])('T14: 1990 Ft at %s, which counts %i decimals, are %s', (_name, exponent, minor) => {
    expect(inProviderUnits(forints(1_990n), exponent)).toBe(minor)
    expect(inHouseUnits(of(minor, 'HUF', exponent), 'HUF')).toBe(1_990n)
  })

  it('T14: a fraction of a forint is no amount of the house', () => {
    expect(inHouseUnits(of(199_050n, 'HUF', 2), 'HUF')).toBeUndefined()
    expect(inHouseUnits(of(1_990n, 'EUR', 2), 'HUF')).toBeUndefined()
  })

  it('T14: any whole forints come back from any scale as they were', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 4 }), (ft, exponent) => {
        expect(inHouseUnits(observedAmount(forints(ft), exponent), 'HUF')).toBe(ft)
      }),
    )
  })
})

describe('money that a provider confirms', () => {
  const expected = { id, amountFt: 1_905n, creditedFt: 800n }
  it.each([
    ['all of it', { reference: id, amount: of(1_905n), forwarded: of(800n) }, null],
    ['the same in another scale', { reference: id, amount: of(190_500n, 'HUF', 2), forwarded: of(800n) }, null],
    [
      'another reference',
      { reference: id.replace('1', '2'), amount: of(1_905n), forwarded: of(800n) },
      'REFERENCE_MISMATCH',
    ],
    ['no reference', { reference: null, amount: of(1_905n), forwarded: of(800n) }, 'REFERENCE_MISMATCH'],
    ['another currency', { reference: id, amount: of(1_905n, 'EUR'), forwarded: of(800n) }, 'CURRENCY_MISMATCH'],
    [
      'another currency handed over',
      { reference: id, amount: of(1_905n), forwarded: of(800n, 'SEK') },
      'CURRENCY_MISMATCH',
    ],
    ['one forint less', { reference: id, amount: of(1_904n), forwarded: of(800n) }, 'AMOUNT_MISMATCH'],
    ['a hundredth more', { reference: id, amount: of(190_501n, 'HUF', 2), forwarded: of(800n) }, 'AMOUNT_MISMATCH'],
    ['less handed over than was told', { reference: id, amount: of(1_905n), forwarded: of(799n) }, 'AMOUNT_MISMATCH'],
    ['nothing said of what is handed over', { reference: id, amount: of(1_905n) }, 'AMOUNT_MISMATCH'],
  ] as const)('T09: %s', (_name, stated, problem) => {
    expect(mismatchOf(expected, stated)).toBe(problem)
  })
})
