import { expect, test } from 'vitest'
import { languageCookies } from '../../../src/i18n/language-cookies.ts'

test('a choice is kept for 365 days, for the site and for the admin', () => {
  const rest = '; Path=/; Max-Age=31536000; SameSite=Lax'
  expect(languageCookies('hu', false)).toEqual([`i18n=hu${rest}`, `payload-lng=hu${rest}`])
})

test('over https only https sends it back', () => {
  expect(languageCookies('de', true).every((cookie) => cookie.endsWith('; Secure'))).toBe(true)
})
