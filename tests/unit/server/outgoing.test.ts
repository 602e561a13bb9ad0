import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutgoingCaches, takeOver } from '../../../src/server/outgoing.ts'
import type { Encoding } from '../../../src/server/compression.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const PIECE = 64 * 1024
const pieces = (count: number) => Array.from({ length: count }, (_, at) => Buffer.alloc(PIECE, `${at} `))

/** A server that pipes an answer of unknown length, as Next does: it waits for `drain` whenever `write` says no. */
const serve = async (encoding: Encoding | null, parts: readonly Buffer[]): Promise<string> => {
  const caches = createOutgoingCaches()
  const server = createServer((_request, response) => {
    takeOver(response, { caches, encoding, immutableKey: null, finish: () => {}, policy: null }, false)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    pipeline(Readable.from(parts), response, () => {})
  })
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const bodyOf = (url: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get(url, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(Buffer.concat(chunks)))
      answer.on('error', reject)
    }).on('error', reject)
  })

describe('the compressed form of a chunk', () => {
  const chunk = Buffer.from('let chunk = 1;'.repeat(500))
  const answers: Record<string, { status: number; type: string; body: Buffer }> = {
    whole: { status: 200, type: 'application/javascript', body: chunk },
    part: { status: 206, type: 'application/javascript', body: chunk.subarray(0, 2_000) },
    error: { status: 416, type: 'text/html', body: Buffer.from('<p>no such range</p>'.repeat(200)) },
  }
  const absent = { status: 404, type: 'text/html', body: Buffer.from('<p>no such chunk</p>'.repeat(200)) }
  const openChunk = async () => {
    const caches = createOutgoingCaches()
    const server = createServer((request, response) => {
      const { status, type, body } = answers[(request.url ?? '/').slice(1)] ?? absent
      takeOver(response, { caches, encoding: 'br', immutableKey: '/chunk.js', finish: () => {}, policy: null }, false)
      response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.byteLength })
      response.end(body)
    })
    closers.push(() => {
      server.closeAllConnections()
      server.close()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  it.each(['part', 'error', 'absent'])('is never that of another answer at its address: %s', async (first) => {
    const url = await openChunk()
    await bodyOf(`${url}${first}`)
    expect(brotliDecompressSync(await bodyOf(`${url}whole`)).equals(chunk)).toBe(true)
  })

  it('is not sent as a part, whose range counts the bytes of the plain form', async () => {
    const url = await openChunk()
    await bodyOf(`${url}whole`)
    expect((await bodyOf(`${url}part`)).equals(chunk.subarray(0, 2_000))).toBe(true)
  })
})

describe('an answer that comes in pieces', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    [null, (body: Buffer) => body],
  ] as const)('leaves whole with encoding %s, also when its writer waits for room', async (encoding, open) => {
    const parts = pieces(12)
    const body = await bodyOf(await serve(encoding, parts))
    expect(open(body).equals(Buffer.concat(parts))).toBe(true)
  })
})
