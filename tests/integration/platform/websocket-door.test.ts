import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import type { Socket, UpgradeRoute } from '../../../control-plane/platform/sockets/socket.ts'
import { openWebSocketDoor, type DoorFigures } from '../../../control-plane/platform/sockets/websocket.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { waitFor } from '../../support/wait-for.ts'

const HEAD = 'HTTP/1.1|Host: x|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Version: 13'
const handshake = (path: string) =>
  `GET ${path} ${HEAD}|Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==||`.replaceAll('|', '\r\n')

/** A door with one route, and how many connections its server holds. */
const openDoor = async (answer: UpgradeRoute['answer'], figures?: DoorFigures) => {
  const server = createServer()
  const door = openWebSocketDoor(server, {
    routes: { '/socket': { maxFrameBytes: 1_024, answer } },
    addressOf: () => '192.0.2.9',
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    ...(figures === undefined ? {} : { figures }),
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    connect: () => {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      client.on('error', () => {}).resume()
      client.write(handshake('/socket'))
      return client
    },
    held: () => new Promise<number>((done) => server.getConnections((_error, count) => done(count))),
    close: async () => {
      await door.close()
      await new Promise((done) => server.close(done))
    },
  }
}

describe('the control plane’s WebSocket door', () => {
  it('a closed socket whose client never answers the close frame is cut [S11, G8]', async () => {
    let taken = 0
    const closeAtOnce = async () => ({
      accept: (socket: Socket) => {
        taken += 1
        socket.close(4401, 'ended')
      },
    })
    const door = await openDoor(closeAtOnce, { refusedForMs: 200, retryAfterSeconds: 1 })
    const clients = Array.from({ length: 10 }, () => door.connect())
    // Counted as they come: the first may be gone before the last is there.
    await waitFor('the connections', () => taken === 10)
    await waitFor('the connections to be gone', async () => (await door.held()) === 0)
    expect(clients.every((client) => client.writable)).toBe(true)
    for (const client of clients) client.destroy()
    await door.close()
  })

  it('a client that resets its connection during the handshake ends nothing but that [section 2]', async () => {
    let reached = 0
    const door = await openDoor(() => {
      reached += 1
      return reached === 1 ? new Promise(() => {}) : Promise.resolve({ refuse: 403, reason: 'origin' })
    })
    const client = door.connect()
    await waitFor('the handshake', () => reached === 1)
    client.resetAndDestroy()
    await waitFor('the connection to be gone', async () => (await door.held()) === 0)
    const next = door.connect()
    await waitFor('the answer', () => next.readableEnded)
    expect(reached).toBe(2)
    next.destroy()
    await door.close()
  })

  it('the connection of a refused handshake that keeps its own half open is closed [case 135]', async () => {
    const server = createServer()
    const metrics = createMetrics()
    const log = pino({ level: 'silent' })
    const door = openWebSocketDoor(server, { routes: {}, addressOf: () => '192.0.2.9', log, metrics })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {}).resume()
    client.write(handshake('/nowhere'))
    await waitFor('the answer', () => client.readableEnded)
    const held = () => new Promise<number>((done) => server.getConnections((_error, count) => done(count)))
    await waitFor('the connection to be gone', async () => (await held()) === 0)
    expect(client.readableEnded).toBe(true)
    client.destroy()
    await door.close()
    await new Promise((done) => server.close(done))
  })
})
