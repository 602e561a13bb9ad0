import { routePath } from 'hono/route'
import { ERROR_STATUS } from '#contracts/http/errors.ts'
import type { ErrorBody } from '#contracts/http/errors.ts'
import { isOverloaded } from '#platform/overloaded.ts'
import { isHasherBusy } from '../identity/context/password-hasher.ts'
import { ApiError } from '../lib/site/api-error.ts'
import { logLine } from '../lib/site/log-line.ts'
import { baseHeaders, send } from './answer.ts'
import type { ApiContext } from './api-call.ts'
import { contextOf } from './context-of.ts'
import { errorMessage, fieldMessage } from './error-message.ts'

const known = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (isHasherBusy(error)) return new ApiError('TOO_MANY_REQUESTS', { retryAfterSeconds: 5 })
  if (isOverloaded(error)) {
    return new ApiError('CONTROL_PLANE_UNAVAILABLE', { retryAfterSeconds: error.retryAfterSeconds })
  }
  return new ApiError('INTERNAL')
}

const report = (c: ApiContext, error: unknown): void => {
  // Refusals are ordinary responses; only unexpected errors are logged.
  const cause = error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : {}
  const route = `${c.req.method} ${routePath(c).replaceAll(/:(\w+)/g, '{$1}')}`
  logLine('error', { requestId: c.env.requestId, route, err: cause }, 'route failed')
}

/**
 * Sends a failure as `{error: {code, message, fields?}}` in the caller's language. Unexpected errors reveal only
 * INTERNAL.
 */
export const refuse = (c: ApiContext, error: unknown): Response => {
  const { code, facts } = known(error)
  if (code === 'INTERNAL') report(c, error)
  const { locale } = contextOf(c)
  const { retryAfterSeconds, cookies = [] } = facts
  const params = { ...facts.params, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) }
  const fields = Object.entries(facts.fields ?? {}).map(([name, fault]) => [name, fieldMessage(fault, locale)])
  const body: ErrorBody = {
    error: {
      code,
      message: errorMessage(code, locale, params),
      ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
      ...(facts.params ? { params: { ...facts.params } } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      requestId: c.env.requestId,
    },
  }
  const headers = {
    ...baseHeaders(c),
    ...(cookies.length > 0 ? { 'set-cookie': [...cookies] } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  }
  return send(c, { status: ERROR_STATUS[code], headers, body: JSON.stringify(body) })
}
