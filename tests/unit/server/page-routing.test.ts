import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AUTH_PAGES, routeRequest } from '../../../src/server/page-routing.ts'

const ask = (target: string, more: Partial<Parameters<typeof routeRequest>[0]> = {}) =>
  routeRequest({ target, localeCookie: null, acceptLanguage: undefined, hasSession: false, ...more })

describe('language (specification section 5)', () => {
  test.each([
    ['the cookie decides', { localeCookie: 'de', acceptLanguage: 'hu' }, 'de'],
    ['else the first two letters of the browser', { acceptLanguage: 'hu-HU,hu;q=0.9,en;q=0.8' }, 'hu'],
    ['only its first language counts', { acceptLanguage: 'fr,de;q=0.9' }, 'en'],
    ['a cookie that is no language is nothing', { localeCookie: '../x', acceptLanguage: 'de' }, 'de'],
    ['else English', {}, 'en'],
  ])('%s', (_name, headers, locale) => {
    expect(ask('/', headers)).toEqual({ kind: 'page', target: `/${locale}`, locale, isPublic: false })
  })

  test('an unprefixed page is rewritten with its query and never redirected', () => {
    expect(ask('/blog/first?x=/y', { localeCookie: 'hu' })).toMatchObject({
      kind: 'page',
      target: '/hu/blog/first?x=/y',
    })
  })

  test('a prefixed page keeps its address and is public, whatever the cookie says', () => {
    expect(ask('/de/blog', { localeCookie: 'hu' })).toEqual({
      kind: 'page',
      target: '/de/blog',
      locale: 'de',
      isPublic: true,
    })
  })
})

describe('shells', () => {
  test.each(['/dashboard/summary', '/panel/abc/console', '/admin', '/admin/collections/users?limit=10'])(
    '%s is not served without a session',
    (path) => {
      expect(ask(path)).toEqual({ kind: 'redirect', location: `/auth/login?next=${encodeURIComponent(path)}` })
      expect(ask(path, { hasSession: true })).toMatchObject(
        path.startsWith('/admin') ? { kind: 'admin' } : { kind: 'page', isPublic: false },
      )
    },
  )

  test('keeps the prefix and the query', () => {
    expect(ask('/hu/panel/x?type=vps')).toEqual({
      kind: 'redirect',
      location: '/hu/auth/login?next=%2Fhu%2Fpanel%2Fx%3Ftype%3Dvps',
    })
    expect(ask('/hu/dashboard/servers', { hasSession: true })).toMatchObject({ isPublic: false })
  })

  test('a name that only begins alike is a page', () => {
    expect(ask('/dashboards')).toMatchObject({ kind: 'page' })
  })
})

describe('paths without a page of their own (clarifications part 3)', () => {
  test.each([
    ['/dashboard', '/dashboard/summary'],
    ['/dashboard/', '/dashboard/summary'],
    ['/hu/dashboard', '/hu/dashboard/summary'],
    ['/dashboard/balance', '/dashboard/balance/summary'],
    ['/de/dashboard/balance/', '/de/dashboard/balance/summary'],
    ['/panel', '/dashboard/servers'],
    ['/panel/abc', '/panel/abc/console'],
    ['/hu/panel/abc?type=vps', '/hu/panel/abc/console?type=vps'],
    ['/panel/abc/', '/panel/abc/console'],
    ['/de/panel/0190ABCD-0000-7000-8000-00000000ABCD', '/de/panel/0190abcd-0000-7000-8000-00000000abcd/console'],
    [
      '/panel/0190ABCD-0000-7000-8000-00000000ABCD/edit/World/A.txt?x=A',
      '/panel/0190abcd-0000-7000-8000-00000000abcd/edit/World/A.txt?x=A',
    ],
    ['/auth', '/dashboard/summary'],
    ['/hu/auth/', '/hu/dashboard/summary'],
    ['/auth/no-such-page?next=//evil.test', '/dashboard/summary'],
    ['/auth/login/deeper', '/dashboard/summary'],
  ])('%s leads to %s whoever is signed in', (target, location) => {
    expect(ask(target, { hasSession: true })).toEqual({ kind: 'redirect', location })
  })

  test.each([
    ['/auth', '/auth/login'],
    ['/auth/', '/auth/login'],
    ['/de/auth/no-such-page?next=/dashboard', '/de/auth/login'],
  ])('%s leads to %s whoever is not', (target, location) => {
    expect(ask(target)).toEqual({ kind: 'redirect', location })
  })

  test('without a session the login comes first and leads back there', () => {
    for (const path of ['/dashboard', '/panel', '/panel/abc', '/dashboard/balance'])
      expect(ask(path)).toEqual({ kind: 'redirect', location: `/auth/login?next=${encodeURIComponent(path)}` })
  })

  test.each(AUTH_PAGES.map((page) => `/auth/${page}`))('%s is a page', (path) => {
    for (const hasSession of [true, false])
      expect(ask(`${path}?token=x`, { hasSession })).toMatchObject({ kind: 'page', target: `/en${path}?token=x` })
  })

  test('the sign-in pages are those that there are', () => {
    expect(readdirSync('src/app/[locale]/(auth)/auth').toSorted()).toEqual([...AUTH_PAGES].toSorted())
  })

  test('no redirect leads to another one', () => {
    const ofPanel = ['/panel/abc/console', '/panel/ABC/Console', '/panel/0190abcd-0000-7000-8000-00000000abcd/edit/A']
    for (const path of ['/dashboard/summary', '/dashboard/balance/summary', '/dashboard/servers', ...ofPanel])
      expect(ask(path, { hasSession: true })).toMatchObject({ kind: 'page' })
  })
})

test.each([
  ['//evil.test/dashboard', '/evil.test/dashboard'],
  ['/\\evil.test', '/evil.test'],
  ['///evil.test?a=//b', '/evil.test?a=//b'],
])('%s leads to no other site', (target, location) => {
  expect(ask(target)).toEqual({ kind: 'redirect', location })
})

test.each([
  ['/api/user/me', 'api'],
  ['/admin', 'admin'],
  ['/admin/collections/users?x=1', 'admin'],
  ['/_next/static/chunks/a.js', 'asset'],
  ['/robots.txt', 'file'],
  ['/icon.svg', 'file'],
  ['/pictures/banners/minecraft.svg', 'file'],
  ['/sitemap.xml', 'file'],
  ['/payments/sandbox/1', 'payments'],
  ['/push-worker.js', 'worker'],
  ['/login', 'api'],
  ['/login?code=x&state=y', 'api'],
  ['/api/internal/revalidate', 'absent'],
  ['/api/ws/gateway', 'absent'],
  ['http://evil.test/', 'absent'],
  ['*', 'absent'],
])('%s is %s', (target, kind) => {
  expect(ask(target, { hasSession: true })).toEqual({ kind })
})

test('a file at the root that does not exist is a page that does not exist, in the language of the reader', () => {
  expect(ask('/favicon.ico')).toMatchObject({ kind: 'page', target: '/en/favicon.ico' })
})

test('the return of an outside sign-in is the same in every language, and keeps its query', () => {
  expect(ask('/hu/login?code=x&state=y')).toEqual({ kind: 'redirect', location: '/login?code=x&state=y' })
  expect(ask('/de/login')).toEqual({ kind: 'redirect', location: '/login' })
  expect(ask('/logins')).toMatchObject({ kind: 'page' })
})

test('an address that only looks like the admin or the API is a page', () => {
  expect(ask('/administrators')).toMatchObject({ kind: 'page' })
  expect(ask('/apiary')).toMatchObject({ kind: 'page' })
})

test.each([
  '/hu/../admin',
  '/hu/%2e%2e/admin',
  '/hu/.%2E/admin/collections/users',
  '/hu/./dashboard',
  '/_next/../admin',
  '/_next/static/../../package.json',
  '/api/./internal/revalidate',
  '/payments/../api/agent/enrol',
  '/hu/..\\admin',
  '/hu\\..\\admin',
  '/hu/..',
])('%s names no other path than the one that is decided on', (target) => {
  expect(ask(target)).toEqual({ kind: 'absent' })
  expect(ask(target, { hasSession: true })).toEqual({ kind: 'absent' })
})

test.each(['/hu/...', '/hu/a..b', '/hu/.well-known/x', '/hu?x=/../admin'])('%s has no such segment', (target) => {
  expect(ask(target)).toMatchObject({ kind: 'page', target })
})

test('an address that cannot be decoded is a page that does not exist', () => {
  expect(ask('/%')).toMatchObject({ kind: 'page', target: '/en/%25' })
  expect(ask('/hu/%E0%A4%A?x=%')).toMatchObject({ kind: 'page', target: '/hu/%25E0%25A4%25A?x=%' })
  for (const target of ['/api/%', '/_next/static/%ff', '/payments/%zz', '/admin/%'])
    expect(ask(target, { hasSession: true })).toEqual({ kind: 'absent' })
})
