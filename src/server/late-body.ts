import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorBody } from '#contracts/http/errors.ts'
import { errorMessage } from '../api/error-message.ts'
import { localeCookie } from '../i18n/locales.ts'
import { negotiate } from '../i18n/negotiate.ts'
import { readCookie } from '../identity/sessions/cookies.ts'

/**
 * Refuses a call whose body did not arrive in time, as the API refuses: in JSON and in the caller's language. A browser
 * may send it again after 408.
 */
export const refuseLateBody = ({
  request,
  response,
  requestId,
}: {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
}): void => {
  const locale = negotiate(readCookie(request.headers.cookie, localeCookie.name), request.headers['accept-language'])
  const code = 'BAD_REQUEST'
  const body: ErrorBody = { error: { code, message: errorMessage(code, locale), requestId } }
  response.writeHead(408, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'Content-Language': locale,
    'X-Request-Id': requestId,
    Connection: 'close',
  })
  response.end(JSON.stringify(body))
}
