import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { openWebSocketDoor } from '../../../control-plane/platform/sockets/websocket.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('the control plane’s WebSocket door', () => {
  it('the connection of a refused handshake that keeps its own half open is closed [case 135]', async () => {
    const server = createServer()
    const metrics = createMetrics()
    const log = pino({ level: 'silent' })
    const door = openWebSocketDoor(server, { routes: {}, addressOf: () => '192.0.2.9', log, metrics })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {}).resume()
    const head = 'GET /nowhere HTTP/1.1|Host: x|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Version: 13'
    client.write(`${head}|Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==||`.replaceAll('|', '\r\n'))
    await waitFor('the answer', () => client.readableEnded)
    const held = () => new Promise<number>((done) => server.getConnections((_error, count) => done(count)))
    await waitFor('the connection to be gone', async () => (await held()) === 0)
    expect(client.readableEnded).toBe(true)
    client.destroy()
    await door.close()
    await new Promise((done) => server.close(done))
  })
})
