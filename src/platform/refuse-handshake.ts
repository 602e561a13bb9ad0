import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** The sentence of a refusal, for people and for authors of scripts. */
const SENTENCES: Readonly<Record<number, string>> = {
  401: 'The token of this handshake is missing, has expired or is invalid.',
  403: 'Pages of this origin may not connect.',
  429: 'Too many connections come from this address. Close one, or try again in a moment.',
  503: 'Too busy. Try again in a moment.',
}

type Figures = {
  /** The connection is cut after this time if the other side takes no response. */
  readonly refusedForMs: number
  /** The wait that a refusal with 429 or 503 names. */
  readonly retryAfterSeconds: number
}

/** Answers a handshake with a status and closes its connection. */
export type RefuseHandshake = (stream: Duplex, status: number) => void

/** A peer that never closes its half would keep a refused connection for ever, so it is closed with the response. */
export const refuseHandshakes =
  ({ refusedForMs, retryAfterSeconds }: Figures): RefuseHandshake =>
  (stream, status) => {
    const body = `${SENTENCES[status] ?? STATUS_CODES[status] ?? 'Refused'}\n`
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
      'Connection: close',
      ...(status === 503 || status === 429 ? [`Retry-After: ${retryAfterSeconds}`] : []),
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    const cut = setTimeout(() => stream.destroy(), refusedForMs).unref()
    stream.once('close', () => clearTimeout(cut))
    stream.once('finish', () => stream.destroy())
    stream.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
