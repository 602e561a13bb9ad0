import { CHALLENGE_SECONDS, COOKIES, DISCORD_SECONDS, REFRESH_TOKEN_SECONDS } from '#contracts/http/auth.ts'

/** The device cookie: 400 days is the longest lifetime that browsers allow. */
const DEVICE_COOKIE = { name: 'bakter_device', seconds: 400 * 24 * 60 * 60 } as const

/** Binds a pending two-step sign-in to the browser that began it. */
const CHALLENGE_COOKIE = { name: 'bakter_challenge', seconds: CHALLENGE_SECONDS } as const

/** Binds the linking of a Discord account to the browser that began it. */
const DISCORD_COOKIE = { name: 'bakter_discord', seconds: DISCORD_SECONDS } as const

export type SessionCookie = 'access' | 'refresh' | 'device' | 'challenge' | 'discord'

const plainNames = {
  access: COOKIES.access,
  refresh: COOKIES.refresh,
  device: DEVICE_COOKIE.name,
  challenge: CHALLENGE_COOKIE.name,
  discord: DISCORD_COOKIE.name,
} as const

// The access cookie outlives its token: its presence tells the server that this browser has a session to refresh.
const lifetimes = {
  access: REFRESH_TOKEN_SECONDS,
  refresh: REFRESH_TOKEN_SECONDS,
  device: DEVICE_COOKIE.seconds,
  challenge: CHALLENGE_COOKIE.seconds,
  discord: DISCORD_COOKIE.seconds,
} as const

/** A cookie's name. Over https the `__Host-` prefix keeps other hosts of the domain from setting it. */
export const cookieName = (cookie: SessionCookie, isSecure: boolean): string =>
  isSecure ? `__Host-${plainNames[cookie]}` : plainNames[cookie]

// Adding a passkey and re-authentication happen outside the auth calls, so these paths get the device and challenge
// cookies too.
const plainPaths = { access: '/', refresh: '/api/auth', device: '/api', challenge: '/api', discord: '/login' } as const

// `__Host-` requires the path /. Without https the refresh token is sent to the auth calls only.
const cookiePath = (cookie: SessionCookie, isSecure: boolean) => (isSecure ? '/' : plainPaths[cookie])

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

/** The value of a cookie in a Cookie header, or null. The first of several with one name counts. */
export const readCookie = (header: string | null | undefined, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null
  }
  return null
}
