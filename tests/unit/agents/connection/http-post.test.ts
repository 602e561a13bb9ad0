import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { postJson } from '../../../../agents/connection/http-post.ts'

const served = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/path`
}

it('posts JSON and gives status and text of the answer', async () => {
  const url = await served((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString('utf8')))
    request.on('end', () => {
      response.writeHead(409)
      response.end(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
    })
  })
  expect(await postJson(url, { név: 'ő' })).toEqual({ status: 409, text: 'POST /path application/json {"név":"ő"}' })
})

it('rejects when nobody listens, when the connection ends, and when the answer is too long', async () => {
  await expect(postJson('http://127.0.0.1:1/', {})).rejects.toThrow('ECONNREFUSED')
  await expect(postJson(await served((request) => void request.socket.destroy()), {})).rejects.toThrow('hang up')
  await expect(
    postJson(await served((_request, response) => void response.end('x'.repeat(1 << 20))), {}),
  ).rejects.toThrow('too long')
})
