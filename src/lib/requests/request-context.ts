import type { Locale } from '#contracts/locale.ts'
import { readCookie } from '../../identity/sessions/cookies.ts'
import { localeCookie } from '../../i18n/locales.ts'
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

/** Reads the context that src/server added to a request. */
export const requestContext = (headers: Headers): RequestContext => ({
  requestId: headers.get(SERVER_HEADERS.requestId) ?? 'unknown',
  address: headers.get(SERVER_HEADERS.address) ?? 'unknown',
  userAgent: headers.get('user-agent') ?? '',
  locale: negotiate(readCookie(headers.get('cookie'), localeCookie.name), headers.get('accept-language')),
})
