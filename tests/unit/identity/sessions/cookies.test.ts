import { expect, test } from 'vitest'
import { cookieName, readCookie, setCookie } from '../../../../src/identity/sessions/cookies.ts'
import { presentedToken } from '../../../../src/identity/sessions/authenticate.ts'

test('over https every cookie is __Host-, Secure, HttpOnly and Lax (case 27)', () => {
  for (const cookie of ['access', 'refresh', 'device', 'challenge', 'discord'] as const) {
    expect(setCookie(cookie, 'v', true)).toMatch(
      /^__Host-bakter_\w+=v; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    )
  }
})

test('without https the refresh token goes to the auth calls only', () => {
  expect(setCookie('refresh', 'v', false)).toBe(
    'bakter_refresh=v; Path=/api/auth; Max-Age=1209600; HttpOnly; SameSite=Lax',
  )
  expect(setCookie('access', null, false)).toBe('bakter_access=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
})

test('without https the calls that add a passkey and ask for the password get the device and the challenge', () => {
  for (const cookie of ['device', 'challenge'] as const) {
    const path = /; Path=([^;]+);/.exec(setCookie(cookie, 'v', false))?.[1] ?? ''
    for (const route of ['/api/user/passkeys', '/api/user/password', '/api/auth/login/factor'])
      expect(route.startsWith(`${path}/`)).toBe(true)
    expect('/dashboard/'.startsWith(path)).toBe(false)
  }
})

test('a cookie is found by its whole name', () => {
  const header = 'xbakter_access=1; bakter_access=2; bakter_access=3; empty='
  expect(readCookie(header, cookieName('access', false))).toBe('2')
  expect(readCookie(header, 'empty')).toBeNull()
  expect(readCookie(undefined, 'x')).toBeNull()
})

test('over https the plain name, which any host of the domain can set, is no session (case 16)', () => {
  const headers = new Headers({ cookie: 'bakter_access=planted' })
  expect(presentedToken(headers, true)).toBeNull()
  expect(presentedToken(headers, false)).toEqual({ token: 'planted', by: 'cookie' })
})

test('a bearer header that is there is the only one asked', () => {
  const headers = new Headers({ authorization: 'Basic x', cookie: 'bakter_access=y' })
  expect(presentedToken(headers, false)).toBeNull()
})
