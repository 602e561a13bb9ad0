import { readCookie } from '../identity/sessions/cookies.ts'
import { isLocale, localeCookie } from '../i18n/locales.ts'
import { negotiate } from '../i18n/negotiate.ts'
import type { RequestContext } from '../lib/requests/request-context.ts'
import type { ApiContext } from './api-call.ts'

/** A page asks in its own language, whatever the cookie says: its address may have another one. */
const localeOf = (headers: Headers) => {
  const asked = headers.get('accept-language')
  return isLocale(asked) ? asked : negotiate(readCookie(headers.get('cookie'), localeCookie.name), asked)
}

/** The caller's context before authentication. Id and address come from the server, never from a header. */
export const contextOf = ({ env, req }: ApiContext): RequestContext => {
  const { headers } = req.raw
  return {
    requestId: env.requestId,
    address: env.address,
    userAgent: headers.get('user-agent') ?? '',
    locale: localeOf(headers),
  }
}
