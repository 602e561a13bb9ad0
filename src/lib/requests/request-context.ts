import type { Locale } from '#contracts/locale.ts'
import { readCookie } from '../../identity/sessions/cookies.ts'
import { isLocale, localeCookie } from '../../i18n/locales.ts'
import { negotiate } from '../../i18n/negotiate.ts'

/**
 * Headers with which src/server passes its facts to the routes. The server deletes client headers of these names, and
 * is the only way to Next.
 */
export const SERVER_HEADERS = { address: 'x-bakter-address', requestId: 'x-request-id' } as const

/** Facts about a caller before authentication. */
export type RequestContext = {
  readonly requestId: string
  /** The rightmost untrusted hop. */
  readonly address: string
  readonly userAgent: string
  readonly locale: Locale
}

/** The language of an answer. A page asks in its own language, whatever the cookie says: its address may have another one. */
export const localeOf = (headers: Headers): Locale => {
  const asked = headers.get('accept-language')
  return isLocale(asked) ? asked : negotiate(readCookie(headers.get('cookie'), localeCookie.name), asked)
}

/** Reads the context that src/server added to a request. */
export const requestContext = (headers: Headers): RequestContext => ({
  requestId: headers.get(SERVER_HEADERS.requestId) ?? 'unknown',
  address: headers.get(SERVER_HEADERS.address) ?? 'unknown',
  userAgent: headers.get('user-agent') ?? '',
  locale: localeOf(headers),
})
