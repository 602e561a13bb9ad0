import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '#contracts/http/errors.ts'
import { LOCALES } from '#contracts/locale.ts'
import { FIELD_FAULTS } from '#contracts/http/field-fault.ts'
import { errorMessage, fieldMessage } from '../../../src/api/error-message.ts'

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

test('languages differ, and amounts are grouped as each writes them', () => {
  expect(new Set(LOCALES.map((locale) => errorMessage('NOT_FOUND', locale))).size).toBe(3)
  expect(errorMessage('INSUFFICIENT_BALANCE', 'hu', { price: '12000' })).toContain('12\u00a0000\u00a0Ft')
})
