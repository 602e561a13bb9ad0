import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ApiContext, Download } from './api-call.ts'
import { contextOf } from './context-of.ts'

/** The headers of every answer: it is of one caller and one moment. */
export const baseHeaders = (c: ApiContext): Record<string, string | string[]> => ({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-store',
  'content-language': contextOf(c).locale,
  vary: 'Cookie, Authorization, Accept-Language',
  'x-request-id': c.env.requestId,
})

type Sent = {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string | Uint8Array | ReadableStream<Uint8Array>
}

const toHeaders = (headers: Sent['headers']): Headers => {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of Array.isArray(value) ? value : [value]) all.append(name, each)
  return all
}

/**
 * Sends an answer. A whole body goes to the server's own answer at once: a Response, whose body is a stream, costs more than
 * everything else that is done for a small call.
 */
export const send = ({ env }: ApiContext, { status, headers, body }: Sent): Response => {
  const { outgoing } = env
  if (outgoing === undefined || body instanceof ReadableStream)
    return new Response(body as BodyInit, { status, headers: toHeaders(headers) })
  outgoing.writeHead(status, headers)
  outgoing.end(body)
  return RESPONSE_ALREADY_SENT
}

/**
 * Sends a file piece by piece, as fast as the reader takes it. The first piece is made before the answer begins: what fails
 * there is refused as anything else is. A failure later breaks the answer off, so that no half of a file looks whole.
 */
export const sendDownload = async (
  c: ApiContext,
  { fileName, chunks }: Download,
  headers: Sent['headers'],
): Promise<Response> => {
  const first = await chunks.next()
  const encoder = new TextEncoder()
  let waiting = first.done ? undefined : first.value
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const text = waiting ?? (await chunks.next()).value
      waiting = undefined
      if (text === undefined) controller.close()
      else controller.enqueue(encoder.encode(text))
    },
    cancel: async () => void (await chunks.return(undefined)),
  })
  return send(c, {
    status: 200,
    headers: { ...headers, 'content-disposition': `attachment; filename="${fileName}"` },
    body,
  })
}
