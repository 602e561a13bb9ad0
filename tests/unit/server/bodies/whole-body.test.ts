import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readWhole } from '../../../../src/server/bodies/whole-body.ts'

const BOUNDS = { bodyBytes: 10, bodyMs: 60_000 }
const open = () => {
  const stream = new PassThrough()
  return { stream, request: stream as unknown as IncomingMessage & { rawBody?: Buffer } }
}

test('a complete body is kept for the API', async () => {
  const { stream, request } = open()
  const read = readWhole(request, BOUNDS)
  stream.write('{"a"')
  stream.end(':1}')
  expect(await read).toBe('whole')
  expect(request.rawBody?.toString()).toBe('{"a":1}')
})

test('a body above the limit is read no further than just beyond it', async () => {
  const { stream, request } = open()
  const read = readWhole(request, BOUNDS)
  stream.write('x'.repeat(11))
  expect(await read).toBe('whole')
  expect(request.rawBody?.byteLength).toBe(11)
  expect(stream.isPaused()).toBe(true)
})

test('a client that disconnects within its body, or does not finish it in time, leaves none', async () => {
  const [gone, late] = [open(), open()]
  const reads = [readWhole(gone.request, BOUNDS), readWhole(late.request, { ...BOUNDS, bodyMs: 20 })]
  gone.stream.destroy(new Error('reset'))
  late.stream.write('{')
  expect(await Promise.all(reads)).toEqual(['gone', 'late'])
  expect([gone.request.rawBody, late.request.rawBody]).toEqual([undefined, undefined])
})
