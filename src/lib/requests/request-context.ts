import type { Locale } from '#contracts/locale.ts'
import { readCookie } from '../../identity/sessions/cookies.ts'
import { localeCookie } from '../../i18n/locales.ts'
import { negotiate } from '../../i18n/negotiate.ts'

/**
 * Headers with which src/server tells the routes what it found out. The server deletes what a client sends under these
 * names, and nothing else reaches Next.
 */
export const SERVER_HEADERS = { address: 'x-bakter-address', requestId: 'x-request-id' } as const

/** The facts that every route knows about its caller before it authenticates them. */
export type RequestContext = {
  readonly requestId: string
  /** The rightmost untrusted hop. */
  readonly address: string
  readonly userAgent: string
  readonly locale: Locale
}

/** Reads the context that src/server gave a request. */
export const requestContext = (headers: Headers): RequestContext => ({
  requestId: headers.get(SERVER_HEADERS.requestId) ?? 'unknown',
  address: headers.get(SERVER_HEADERS.address) ?? 'unknown',
  userAgent: headers.get('user-agent') ?? '',
  locale: negotiate(readCookie(headers.get('cookie'), localeCookie.name), headers.get('accept-language')),
})
