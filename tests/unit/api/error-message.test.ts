import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '#contracts/http/errors.ts'
import { LOCALES } from '#contracts/locale.ts'
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
  en: { price: '12,000', maximum: '2,000,000' },
  hu: { price: '12\u00a0000', maximum: '2\u00a0000\u00a0000' },
  de: { price: '12.000', maximum: '2.000.000' },
}

describe.each(LOCALES)('figures in %s', (locale) => {
  const { errors }: { errors: Record<string, unknown> } = catalogs[locale]
  const named = ERROR_CODES.flatMap((code) => {
    const names = String(errors[code]).matchAll(/\{(price|maximum|seconds)\b/g)
    return [...names].map(([, name]) => [code, name] as [typeof code, 'price' | 'maximum' | 'seconds'])
  })

  test.each(named)('the sentence of %s shows its %s', (code, name) => {
    const text = errorMessage(code, locale, { price: '12000', maximum: 2_000_000, retryAfterSeconds: 41 })
    expect(text).toContain({ ...GROUPED[locale], seconds: '41' }[name])
    expect(text).not.toMatch(/[{}]/)
  })

  test('amounts and seconds are each named by some sentence', () => {
    expect([...new Set(named.map(([, name]) => name))].toSorted()).toEqual(['maximum', 'price', 'seconds'])
  })
})

test('languages differ, and amounts are grouped as each writes them', () => {
  expect(new Set(LOCALES.map((locale) => errorMessage('NOT_FOUND', locale))).size).toBe(3)
  expect(errorMessage('INSUFFICIENT_BALANCE', 'hu', { price: '12000' })).toContain('12\u00a0000\u00a0Ft')
})
