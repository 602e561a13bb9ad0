import { COOKIES, REFRESH_TOKEN_SECONDS } from '#contracts/http/auth.ts'

/** The device cookie: 400 days is the longest that browsers keep one. */
const DEVICE_COOKIE = { name: 'bakter_device', seconds: 400 * 24 * 60 * 60 } as const

export type SessionCookie = 'access' | 'refresh' | 'device'

const plainNames = { access: COOKIES.access, refresh: COOKIES.refresh, device: DEVICE_COOKIE.name } as const

// The access cookie outlives its token: its presence tells the server that this browser has a session to refresh.
const lifetimes = {
  access: REFRESH_TOKEN_SECONDS,
  refresh: REFRESH_TOKEN_SECONDS,
  device: DEVICE_COOKIE.seconds,
} as const

/** A cookie's name. Over https the `__Host-` prefix keeps other hosts of the domain from setting it. */
export const cookieName = (cookie: SessionCookie, isSecure: boolean): string =>
  isSecure ? `__Host-${plainNames[cookie]}` : plainNames[cookie]

// `__Host-` demands the path /. Without https the refresh token goes to the auth calls only.
const cookiePath = (cookie: SessionCookie, isSecure: boolean) => (isSecure || cookie === 'access' ? '/' : '/api/auth')

/** A Set-Cookie header; `value` null deletes the cookie. */
export const setCookie = (cookie: SessionCookie, value: string | null, isSecure: boolean): string =>
  [
    `${cookieName(cookie, isSecure)}=${value ?? ''}`,
    `Path=${cookiePath(cookie, isSecure)}`,
    `Max-Age=${value === null ? 0 : lifetimes[cookie]}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')

/** The value of a cookie in a Cookie header, or null. Of several with one name the first counts. */
export const readCookie = (header: string | null | undefined, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null
  }
  return null
}
