import { once } from 'node:events'
import { Duplex } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { refuseHandshakes } from '#platform/refuse-handshake.ts'

/** A connection; a stuck one takes no byte. */
const connection = (isStuck = false) => {
  let text = ''
  const stream = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString()
      if (!isStuck) done()
    },
  })
  return { stream, text: () => text }
}
const refuse = refuseHandshakes({ refusedForMs: 20, retryAfterSeconds: 7 })

describe('a refused handshake', () => {
  it.each([
    [401, 'Unauthorized', undefined],
    [403, 'Forbidden', undefined],
    [404, 'Not Found', undefined],
    [429, 'Too Many Requests', '7'],
    [503, 'Service Unavailable', '7'],
  ])('is answered with %i in a sentence, and its connection closes', async (status, name, retryAfter) => {
    const { stream, text } = connection()
    const closed = once(stream, 'close')
    refuse(stream, status)
    await closed
    const [head = '', body = ''] = text().split('\r\n\r\n')
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status} ${name}`)
    expect(/Retry-After: (\d+)/.exec(head)?.[1]).toBe(retryAfter)
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
    expect(body.length).toBeGreaterThan(5)
  })

  it('is cut when the other side takes no response', async () => {
    const { stream } = connection(true)
    const closed = once(stream, 'close')
    refuse(stream, 503)
    await closed
    expect(stream.writableFinished).toBe(false)
  })
})
