import { describe, expect, it } from 'vitest'
import { COOKIES, LOCALE_COOKIE_DAYS } from '../../../src/contracts/http/auth.ts'
import { LOCALES } from '../../../src/contracts/locale.ts'
import { localeCookie, locales } from '../../../src/i18n/locales.ts'
import { localePath, negotiate, splitLocale, switchedPath } from '../../../src/i18n/negotiate.ts'

describe('the languages', () => {
  it('are those of the contract, with its cookie', () => {
    expect(locales).toEqual(LOCALES)
    expect(localeCookie.name).toBe(COOKIES.locale)
    expect(localeCookie.maxAgeSeconds).toBe(LOCALE_COOKIE_DAYS * 86_400)
    expect(localeCookie.maxAgeSeconds).toBe(31_536_000)
  })
})

describe('negotiate', () => {
  it.each([
    ['hu', 'de-DE,de', 'hu'],
    ['de', null, 'de'],
    [undefined, 'hu-HU,hu;q=0.9,en;q=0.8', 'hu'],
    [undefined, 'de', 'de'],
    [undefined, 'DE-at', 'de'],
    [undefined, ' en-GB', 'en'],
    [undefined, 'fr-FR,hu;q=0.9', 'en'],
    [undefined, '', 'en'],
    [undefined, null, 'en'],
    ['fr', 'hu', 'hu'],
    ['HU', 'de', 'de'],
    ['', undefined, 'en'],
    [null, ['de-DE', 'hu'], 'de'],
  ] as const)('cookie %s and header %s give %s', (cookie, header, locale) => {
    expect(negotiate(cookie, header)).toBe(locale)
  })
})

describe('paths', () => {
  it.each([
    ['/hu', 'hu', '/'],
    ['/hu/', 'hu', '/'],
    ['/de/blog', 'de', '/blog'],
    ['/en/dashboard/services/game', 'en', '/dashboard/services/game'],
    ['/', null, '/'],
    ['/blog', null, '/blog'],
    ['/hungary', null, '/hungary'],
  ])('%s is %s and %s', (pathname, locale, path) => {
    expect(splitLocale(pathname)).toEqual({ locale, path })
  })

  it('prefix and switch', () => {
    expect(localePath('hu', '/')).toBe('/hu')
    expect(localePath('de', '/blog')).toBe('/de/blog')
    expect(switchedPath('/hu/auth/login', 'de')).toBe('/de/auth/login')
    expect(switchedPath('/hu', 'en')).toBe('/en')
    expect(switchedPath('/auth/login', 'de')).toBe('/auth/login')
  })
})
