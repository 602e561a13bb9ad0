import type { ServerResponse } from 'node:http'

type Refusal = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/**
 * JSON refusals of Payload's API in place of Next's own: an unknown path would get the HTML page of 404, and a wrong
 * method an empty response.
 */
export const apiRefusal =
  (requestId: string) =>
  (response: ServerResponse): Refusal | null => {
    const { statusCode: status } = response
    const type = String(response.getHeader('content-type') ?? '')
    if (!(status === 404 && /^text\/html/i.test(type)) && !(status === 405 && type === '')) return null
    const refusal =
      status === 404
        ? { code: 'NOT_FOUND', message: 'Not found.' }
        : { code: 'METHOD_NOT_ALLOWED', message: 'This method is not allowed here.' }
    return {
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ error: { ...refusal, requestId } }),
    }
  }
