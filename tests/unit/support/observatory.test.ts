import { expect, test } from 'vitest'

import { observe, type ObservedPage } from '../../support/observatory.ts'

const good: ObservedPage = {
  headers: {
    'content-security-policy': "default-src 'none'; script-src 'self' 'sha256-x'; frame-ancestors 'none'",
    'strict-transport-security': 'max-age=63072000',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  },
  setCookies: ['__Host-bakter_access=x; Secure; HttpOnly; SameSite=Lax; Path=/'],
  html: '<script src="/a.js"></script>',
  redirectsToHttps: true,
}
const withHeader = (name: string, value: string): ObservedPage => ({
  ...good,
  headers: { ...good.headers, [name]: value },
})

test('all that is right gives A+ with the extra credit', () => {
  expect(observe(good)).toMatchObject({ score: 135, grade: 'A+' })
})

test.each([
  [
    'a policy with inline scripts',
    withHeader('content-security-policy', "script-src 'unsafe-inline'; frame-ancestors 'none'"),
    80,
  ],
  ['no policy for objects', withHeader('content-security-policy', "script-src 'self'; frame-ancestors 'none'"), 80],
  [
    'a plain http origin to connect to',
    withHeader('content-security-policy', "default-src 'none'; connect-src http://a; frame-ancestors 'none'"),
    80,
  ],
  ['a session cookie without Secure', { ...good, setCookies: ['bakter_access=x; HttpOnly; SameSite=Lax'] }, 60],
  ['a session cookie that scripts read', { ...good, setCookies: ['bakter_access=x; Secure; SameSite=Lax'] }, 70],
  ['a short HSTS', withHeader('strict-transport-security', 'max-age=60'), 125],
  ['no redirection', { ...good, redirectsToHttps: false }, 80],
  ['a foreign script without integrity', { ...good, html: '<script src="https://b/a.js"></script>' }, 130],
])('%s costs what the table says', (_name, page, score) => {
  expect(observe(page).score).toBe(score)
})

test('an empty answer is an F', () => {
  expect(observe({ headers: {}, setCookies: [], html: '', redirectsToHttps: false }).grade).toBe('F')
})
