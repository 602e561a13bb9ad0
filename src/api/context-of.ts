import { localeOf, type RequestContext } from '../lib/requests/request-context.ts'
import type { ApiContext } from './api-call.ts'

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
