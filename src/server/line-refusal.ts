import type { IncomingMessage, ServerResponse } from 'node:http'
import { ERROR_STATUS } from '#contracts/http/errors.ts'
import type { ErrorBody, ErrorCode } from '#contracts/http/errors.ts'
import { errorMessage } from '../api/error-message.ts'
import { localeCookie } from '../i18n/locales.ts'
import { negotiate } from '../i18n/negotiate.ts'
import { readCookie } from '../identity/sessions/cookies.ts'

type Refusal = { readonly code: ErrorCode; readonly status?: number; readonly retryAfterSeconds?: number }

/** The share of an address or an account in the line is used up, or the line is full. */
export const LINE_FULL: Refusal = { code: 'CONTROL_PLANE_UNAVAILABLE', retryAfterSeconds: 2 }
/** The body did not arrive in time: 408, after which browsers may send it again. */
export const BODY_LATE: Refusal = { code: 'BAD_REQUEST', status: 408 }

/** Refuses a request that never gets to the API, as the API does: in JSON and in the caller's language. */
export const refuseInLine = (
  { request, response, requestId }: { request: IncomingMessage; response: ServerResponse; requestId: string },
  { code, status = ERROR_STATUS[code], retryAfterSeconds }: Refusal,
): void => {
  const locale = negotiate(readCookie(request.headers.cookie, localeCookie.name), request.headers['accept-language'])
  const waits = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  const body: ErrorBody = { error: { code, message: errorMessage(code, locale, waits), ...waits, requestId } }
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'Content-Language': locale,
    'X-Request-Id': requestId,
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...(status === 408 ? { Connection: 'close' } : {}),
  })
  response.end(JSON.stringify(body))
}
