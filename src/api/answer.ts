import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { logLine } from '../lib/site/log-line.ts'
import type { ApiContext, Download } from './api-call.ts'
import { contextOf } from './context-of.ts'

type AnswerHeaders = Record<string, string | string[]>
type Head = { readonly status: number; readonly headers: AnswerHeaders }

/** The headers of every response: it is private to one caller and must not be cached. */
export const baseHeaders = (c: ApiContext): AnswerHeaders => ({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-store',
  'content-language': contextOf(c).locale,
  vary: 'Cookie, Authorization, Accept-Language',
  'x-request-id': c.env.requestId,
})

const responseOf = (body: BodyInit, { status, headers }: Head): Response => {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of Array.isArray(value) ? value : [value]) all.append(name, each)
  return new Response(body, { status, headers: all })
}

/**
 * Sends a response. It is written directly to Node's response object: a Response with a stream as its body costs more
 * than all other work of a small call.
 */
export const send = (
  { env }: ApiContext,
  { body, ...head }: Head & { readonly body: string | Uint8Array },
): Response => {
  const { outgoing } = env
  if (outgoing === undefined) return responseOf(body as BodyInit, head)
  outgoing.writeHead(head.status, head.headers)
  outgoing.end(body)
  return RESPONSE_ALREADY_SENT
}

const isGone = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

const pour = (file: Readable, outgoing: ServerResponse, requestId: string): void => {
  pipeline(file, outgoing).catch((error: unknown) => {
    // A client that disconnects early is not a failure.
    if (isGone(error)) return
    const name = error instanceof Error ? error.name : 'unknown'
    logLine('error', { requestId, err: { name } }, 'a download broke off')
  })
}

async function* bytesOf(
  first: IteratorResult<string, unknown>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.done) return
    yield Buffer.from(first.value)
    for await (const text of rest) yield Buffer.from(text)
  } finally {
    await rest.return(undefined)
  }
}

/**
 * Sends a file in chunks, as fast as the client reads. The first chunk is produced before the response begins, so that
 * a failure there becomes an ordinary refusal. A later failure aborts the response, so that a partial file never looks
 * complete.
 */
export const sendDownload = async (
  { env }: ApiContext,
  { fileName, chunks }: Download,
  headers: AnswerHeaders,
): Promise<Response> => {
  const file = Readable.from(bytesOf(await chunks.next(), chunks), { objectMode: false, highWaterMark: 1 })
  const head = { status: 200, headers: { ...headers, 'content-disposition': `attachment; filename="${fileName}"` } }
  if (env.outgoing === undefined) return responseOf(Readable.toWeb(file) as unknown as BodyInit, head)
  env.outgoing.writeHead(head.status, head.headers)
  pour(file, env.outgoing, env.requestId)
  return RESPONSE_ALREADY_SENT
}
