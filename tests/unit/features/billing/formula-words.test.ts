import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import type { FormulaPart } from '../../../../src/contracts/http/transaction-detail.ts'
import { formulaSteps, isFormulaWorthwhile, sizeText } from '../../../../src/features/billing/formula-words.ts'
import type { LineWords } from '../../../../src/features/billing/formula-words.ts'
import de from '../../../../src/messages/de.json'
import en from '../../../../src/messages/en.json'
import hu from '../../../../src/messages/hu.json'
import { ERROR_CODES } from '../../../../src/contracts/http/errors.ts'

const catalogs = { en, hu, de }
const readerOf = (locale: keyof typeof catalogs) => ({
  locale,
  t: createTranslator({ locale, messages: catalogs[locale], namespace: 'balance.line' }) as unknown as LineWords,
})
const said = (formula: readonly FormulaPart[], locale: keyof typeof catalogs) =>
  formulaSteps(formula, readerOf(locale))
    .map(({ sign, text }, at) => (at === 0 ? text : `${sign} ${text}`))
    .join(' ')
    .replaceAll('\u00A0', ' ')

const ORDER: readonly FormulaPart[] = [
  { kind: 'months', monthlyFt: 1_990, months: 1, amountFt: 1_990 },
  { kind: 'premium-discount', percent: 5, amountFt: -100 },
  { kind: 'coupon', code: 'SPRING', amountFt: -200 },
]

test.each([
  ['en', '1,990 Ft × 1 month − 5 % premium (100 Ft) − coupon SPRING (200 Ft)'],
  ['hu', '1 990 Ft × 1 hónap − 5 % prémium (100 Ft) − SPRING kupon (200 Ft)'],
  ['de', '1.990 Ft × 1 Monat − 5 % Premium (100 Ft) − Gutschein SPRING (200 Ft)'],
] as const)('an order in %s is told as a sum that can be followed', (locale, words) => {
  expect(said(ORDER, locale)).toBe(words)
})

test('days are written with their fraction, a resource with its unit, spins with their count', () => {
  const days: FormulaPart = {
    kind: 'days-charged',
    fromMonthlyFt: 1_990,
    toMonthlyFt: 2_490,
    days: 13.5,
    amountFt: 225,
  }
  expect(said([days], 'hu')).toBe('(2 490 Ft − 1 990 Ft) × 13,5 / 30 nap')
  const memory = {
    kind: 'resource',
    key: 'ramMiB',
    quantity: 4_096,
    monthlyFt: 2_000,
    months: 2,
    amountFt: 4_000,
  } as const
  expect(said([memory], 'hu')).toBe('Memória 4 GB: 2 000 Ft × 2 hónap')
  expect(said([{ kind: 'each', count: 3, eachFt: 300, amountFt: 900 }], 'en')).toBe('3 spins × 300 Ft')
})

test('the refund of premium is its price less the kept part, each with its reason', () => {
  const back: FormulaPart[] = [
    { kind: 'flat', amountFt: 3_490 },
    { kind: 'kept-used', amountFt: -420 },
    { kind: 'kept-spins', amountFt: -400 },
    { kind: 'kept-discounts', amountFt: -1_350 },
  ]
  expect(said(back, 'hu')).toBe(
    '3 490 Ft − 420 Ft levonva a felhasznált időért − 400 Ft levonva a felhasznált ingyenes pörgetésekért − 1 350 Ft levonva a kapott kedvezményekért',
  )
  expect(said(back, 'en')).toContain('− 1,350 Ft kept for discounts you received')
})

test('a part that only repeats the amount is left out', () => {
  expect(isFormulaWorthwhile([{ kind: 'flat', amountFt: 700 }])).toBe(false)
  expect(isFormulaWorthwhile([{ kind: 'paid', amountFt: 5_000 }])).toBe(false)
  expect(isFormulaWorthwhile(ORDER)).toBe(true)
})

test('a size names its parts', () => {
  const size = { cpuPercent: 200, memoryMiB: 4_096, storageMiB: 10_240 }
  expect(sizeText(size, readerOf('en')).replaceAll('\u00A0', ' ')).toBe('4 GB memory, 10 GB storage, 200 % processor')
})

test('the words before a click are those of the refusal', () => {
  for (const { switches, errors } of [en, hu, de]) {
    expect(switches).toEqual({
      ordering: errors.ORDERING_DISABLED,
      tickets: errors.TICKETS_DISABLED,
      serverStart: errors.SERVER_START_DISABLED,
      couponUse: errors.COUPONS_DISABLED,
    })
    expect(ERROR_CODES.filter((code) => !(code in errors))).toEqual([])
  }
})
