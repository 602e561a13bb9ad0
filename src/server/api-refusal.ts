import type { ServerResponse } from 'node:http'
import { API_ROUTES } from '#contracts/http/routes/routes.ts'

const ROUTES = Object.keys(API_ROUTES).map((name) => {
  const [method = '', path = ''] = name.split(' ')
  return { method, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }
})

/** The methods that a call of the API takes at this path; none where there is no such call. */
export const methodsOf = (path: string): readonly string[] =>
  ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)

const messageOf = (status: number, methods: readonly string[]) => {
  if (status === 404) return 'Not found.'
  return methods.length === 0 ? 'This method is not taken here.' : `Taken here: ${methods.join(', ')}.`
}

type Refusal = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/**
 * What callers of the API get in place of Next's own refusals, because they read JSON: an unknown path would be answered with
 * the HTML page of 404, and a method that a call does not have with nothing. A 405 names the methods (RFC 9110, 15.5.6).
 */
export const apiRefusal = ({ path, requestId }: { readonly path: string; readonly requestId: string }) => {
  return (response: ServerResponse): Refusal | null => {
    const { statusCode: status } = response
    const type = String(response.getHeader('content-type') ?? '')
    if (!(status === 404 && /^text\/html/i.test(type)) && !(status === 405 && type === '')) return null
    const methods = methodsOf(path)
    const code = status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED'
    return {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        ...(status === 405 && methods.length > 0 ? { Allow: methods.join(', ') } : {}),
      },
      body: JSON.stringify({ error: { code, message: messageOf(status, methods), requestId } }),
    }
  }
}
