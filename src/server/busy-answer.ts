import type { IncomingMessage, ServerResponse } from 'node:http'
import { ERROR_STATUS } from '#contracts/http/errors.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { errorMessage } from '../api/error-message.ts'
import { localeCookie } from '../i18n/locales.ts'
import { negotiate, splitLocale } from '../i18n/negotiate.ts'
import { readCookie } from '../identity/sessions/cookies.ts'

/**
 * Refuses a request that the site has no time for, in the visitor's language: JSON to a call, a sentence to a person.
 * The connection ends with it, so that its place is free.
 */
export const answerBusy = ({ url = '/', headers }: IncomingMessage, response: ServerResponse): void => {
  const [path = '/'] = url.split('?')
  const cookie = readCookie(headers.cookie, localeCookie.name)
  const locale = splitLocale(path).locale ?? negotiate(cookie, headers['accept-language'])
  const message = errorMessage('BUSY', locale)
  const { retryAfterSeconds } = OVERLOAD
  const isCall = path.startsWith('/api')
  response.writeHead(ERROR_STATUS.BUSY, {
    'Content-Type': isCall ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    'Content-Language': locale,
    'Cache-Control': 'no-store',
    'Retry-After': String(retryAfterSeconds),
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  })
  response.end(isCall ? JSON.stringify({ error: { code: 'BUSY', message, retryAfterSeconds } }) : `${message}\n`)
}
