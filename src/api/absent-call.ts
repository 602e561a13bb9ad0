import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { ErrorCode } from '#contracts/http/errors.ts'
import { baseHeaders, send } from './answer.ts'
import type { ApiContext } from './api-call.ts'

/** The OpenAPI description is not a row of the table. */
export const DESCRIPTION = 'GET /api/openapi.json'

const ROUTES = [...Object.keys(API_ROUTES), DESCRIPTION].map((name) => {
  const [method = '', path = ''] = name.split(' ')
  return { method, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`) }
})

/** The methods that the API accepts at this path; none if no call has this path. */
export const methodsOf = (path: string): readonly string[] =>
  ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)

const refuseWith = (c: ApiContext, status: number, refusal: { code: ErrorCode; message: string; allow?: string }) => {
  const { code, message, allow } = refusal
  const headers = { ...baseHeaders(c), ...(allow === undefined ? {} : { allow }) }
  return send(c, { status, headers, body: JSON.stringify({ error: { code, message, requestId: c.env.requestId } }) })
}

/**
 * Answers requests that match no call: 404 for an unknown path, 405 with the methods for a known one (RFC 9110,
 * 15.5.6), and OPTIONS with the methods. An address with a trailing slash is redirected.
 */
export const answerAbsent = (c: ApiContext): Response => {
  const { path, method } = c.req
  const methods = methodsOf(path)
  if (methods.length > 0) {
    const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow: allowed } })
    const allow = methods.join(', ')
    return refuseWith(c, 405, { code: 'METHOD_NOT_ALLOWED', message: `Taken here: ${allow}.`, allow })
  }
  const plain = path.replace(/\/+$/, '')
  if (plain !== path && methodsOf(plain).length > 0) {
    const location = `${plain}${new URL(c.req.url).search}`
    return new Response(null, { status: 308, headers: { location } })
  }
  return refuseWith(c, 404, { code: 'NOT_FOUND', message: 'Not found.' })
}
