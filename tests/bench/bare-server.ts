// A server that does nothing but send the bytes that it was given: the most that Node can do with them on this machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type BareAnswer = { readonly headers: readonly string[]; readonly body: string; readonly etag: string }

process.once('message', ({ headers, body, etag }: BareAnswer) => {
  const bytes = Buffer.from(body, 'base64')
  const server = createServer((request, response) => {
    const isUnchanged = request.headers['if-none-match'] === etag
    response.writeHead(isUnchanged ? 304 : 200, [...headers])
    response.end(isUnchanged ? undefined : bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.once('disconnect', () => process.exit())
