import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closeServer, listen } from '#platform/listen.ts'

/** A server whose one request is answered when the test says so. */
async function heldRequest() {
  const server: Server = createServer({ keepAliveTimeout: 600_000 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const answer = new Promise<string>((done) => {
    get({ host: '127.0.0.1', port, agent }, (response: IncomingMessage) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
      response.on('end', () => done(text))
    })
  })
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { server, answer, response }
}

test('a request that runs is answered, and its kept connection does not hold up the end', async () => {
  const { server, answer, response } = await heldRequest()
  let isClosed = false
  const closing = closeServer(server).then(() => (isClosed = true))
  // The sweep passes by while the request still runs.
  await new Promise((done) => setTimeout(done, 250))
  expect(isClosed).toBe(false)
  response.end('whole')
  expect(await answer).toBe('whole')
  await closing
})

test('a port that is taken is named', async () => {
  const first = createServer()
  await listen(first, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => void first.close())
  const { port } = first.address() as AddressInfo
  await expect(listen(createServer(), { port, host: '127.0.0.1' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `Port ${port} of 127.0.0.1 is already in use.`,
  })
})
