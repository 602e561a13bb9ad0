import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '#contracts/http/errors.ts'
import { LOCALES } from '#contracts/locale.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { FIELD_FAULTS } from '#contracts/http/field-fault.ts'
import { errorMessage, fieldMessage } from '../../../src/api/error-message.ts'
import de from '../../../src/messages/de.json'
import en from '../../../src/messages/en.json'
import hu from '../../../src/messages/hu.json'

const catalogs = { en, hu, de }

describe.each(LOCALES)('in %s', (locale) => {
  test.each(ERROR_CODES)('%s has a sentence', (code) => {
    const text = errorMessage(code, locale, { price: '1010', maximum: 2_000_000, retryAfterSeconds: 3 })
    expect(text).toMatch(/[.!]$/)
    expect(text).not.toContain('errors.')
  })
  test.each(FIELD_FAULTS)('the field code %s has a sentence', (code) => {
    expect(fieldMessage(code, locale)).toMatch(/\.$/)
  })
})

test('the quoted messages of section 8 stand letter by letter', () => {
  expect(errorMessage('INVALID_CODE', 'en')).toBe('Invalid code.')
  expect(errorMessage('INSUFFICIENT_BALANCE', 'en', { price: '410' })).toBe(
    'You need extra 410 HUF to purchase this server.',
  )
  expect(errorMessage('COUPON_NOT_FOUND', 'en')).toBe('The coupon does not exist!')
  expect(fieldMessage('mismatch', 'en')).toBe('The given passwords are mismatching.')
})

const GROUPED = {
  en: { price: '12,000', amount: '12,000', minimum: '500', maximum: '2,000,000', largest: '1,000,000' },
  hu: {
    price: '12\u00a0000',
    amount: '12\u00a0000',
    minimum: '500',
    maximum: '2\u00a0000\u00a0000',
    largest: '1\u00a0000\u00a0000',
  },
  de: { price: '12.000', amount: '12.000', minimum: '500', maximum: '2.000.000', largest: '1.000.000' },
}

type Figure = keyof (typeof GROUPED)['en'] | 'wait'

describe.each(LOCALES)('figures in %s', (locale) => {
  const { errors }: { errors: Record<string, unknown> } = catalogs[locale]
  const named = ERROR_CODES.flatMap((code) => {
    const names = String(errors[code]).matchAll(/\{(price|amount|minimum|maximum|wait)\b/g)
    return [...names].map(([, name]) => [code, name] as [typeof code, Figure])
  })

  test.each(named)('the sentence of %s shows its %s', (code, name) => {
    const text = errorMessage(code, locale, { price: '12000', maximum: 2_000_000, retryAfterSeconds: 41 })
    const shown = code === 'TOPUP_TOO_LARGE' && name === 'maximum' ? 'largest' : name
    expect(text).toContain({ ...GROUPED[locale], wait: '41' }[shown])
    expect(text).not.toMatch(/[{}]/)
  })

  test('amounts and waits are each named by some sentence', () => {
    expect([...new Set(named.map(([, name]) => name))].toSorted()).toEqual([
      'amount',
      'maximum',
      'minimum',
      'price',
      'wait',
    ])
  })
})

describe.each(LOCALES)('a missing permission in %s', (locale) => {
  test.each(PERMISSIONS)('%s is named', (permission) => {
    const [group = '', key = ''] = permission.split('.')
    const words: Record<string, Record<string, string>> = catalogs[locale].collaborators.keys
    const word = words[group]?.[key] ?? 'no word'
    const text = errorMessage('FORBIDDEN', locale, { permission })
    expect(text).toContain(word)
    expect(text).not.toContain(permission)
  })
  test('no other word is shown as a permission', () => {
    for (const permission of ['file.everything', '<b>', 7, ''])
      expect(errorMessage('FORBIDDEN', locale, { permission })).toBe(errorMessage('FORBIDDEN', locale))
  })
})

test('a renewal or a resize without money has a sentence of its own, which names no purchase', () => {
  const texts = (['renewal', 'resize'] as const).map((purchase) =>
    errorMessage('INSUFFICIENT_BALANCE', 'en', { price: '1410', purchase }),
  )
  expect(texts).toEqual([
    'You need 1,410\u00A0Ft more to renew this server.',
    'You need 1,410\u00A0Ft more for this size.',
  ])
})

test('amounts of every sentence are those of money', () => {
  expect(errorMessage('DEBT_OPEN', 'de', { price: '12000' })).toContain('12.000\u00A0Ft')
  expect(errorMessage('TOPUP_TOO_SMALL', 'en')).toBe('The smallest top-up is 500\u00A0Ft.')
  expect(errorMessage('TOPUP_TOO_LARGE', 'en')).toBe('The largest top-up is 1,000,000\u00A0Ft.')
  expect(errorMessage('TOPUP_WALLET_FULL', 'hu', { maximum: 50_000 })).toContain('50\u00A0000\u00A0Ft')
})

test('languages differ, and amounts are grouped as each writes them', () => {
  expect(new Set(LOCALES.map((locale) => errorMessage('NOT_FOUND', locale))).size).toBe(3)
  expect(errorMessage('INSUFFICIENT_BALANCE', 'hu', { price: '12000' })).toContain('12\u00a0000\u00a0Ft')
})

test.each([
  [1, '1 second', '1 másodperc', '1 Sekunde'],
  [119, '119 seconds', '119 másodperc', '119 Sekunden'],
  [121, '3 minutes', '3 perc', '3 Minuten'],
  [7_201, '3 hours', '3 óra', '3 Stunden'],
])('a wait of %d s is said in a unit that people count in', (retryAfterSeconds, en, hu, de) => {
  expect(LOCALES.map((locale) => errorMessage('TOO_MANY_REQUESTS', locale, { retryAfterSeconds }))).toEqual(
    LOCALES.map((locale) => expect.stringContaining({ en, hu, de }[locale])),
  )
})
