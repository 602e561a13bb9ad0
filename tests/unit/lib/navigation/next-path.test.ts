import { describe, expect, it } from 'vitest'
import { homeAfterLogin, nextPath, nextPathFrom } from '../../../../src/lib/navigation/next-path.ts'

describe('nextPath', () => {
  it.each([
    '/dashboard/servers',
    '/hu/panel/abc/console?type=vps#log',
    '/panel/x/edit/konfig/űrlap.yml',
    '/admin',
    '/dashboard/services/game?rent=1',
    '/auth/verify',
    '/hu/auth/verify?next=%2Fdashboard%2Fservers',
  ])('goes to %s', (asked) => {
    expect(nextPath(asked)).toBe(new URL(asked, 'https://own.invalid').href.replace('https://own.invalid', ''))
  })

  it.each([
    null,
    undefined,
    '',
    'dashboard',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/a\\b',
    '/dashboard\n',
    '/..//evil.example',
    '/./\\evil.example',
    '/auth/login',
    '/auth/verify/../logout',
    '/auth/verifyother',
    '/hu/auth/logout',
    '/api/auth/logout',
  ])('refuses %j', (asked) => {
    expect(nextPath(asked)).toBe(homeAfterLogin)
  })
})

describe('nextPathFrom', () => {
  it('stays in the language of a prefixed sign-in page', () => {
    expect(nextPathFrom('/dashboard/servers', '/de/auth/login')).toBe('/de/dashboard/servers')
    expect(nextPathFrom('/hu/dashboard/servers', '/de/auth/login')).toBe('/hu/dashboard/servers')
    expect(nextPathFrom('/admin', '/de/auth/login')).toBe('/admin')
    expect(nextPathFrom('/dashboard/servers', '/auth/login')).toBe('/dashboard/servers')
    expect(nextPathFrom(null, '/auth/login')).toBe('/dashboard/')
  })
})
