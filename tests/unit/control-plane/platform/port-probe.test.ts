import { once } from 'node:events'
import { createServer, Socket, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createPortProbe } from '../../../../control-plane/platform/port-probe.ts'

const servers: Server[] = []
const listening = async () => {
  const server = createServer((socket) => socket.on('error', () => {}))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

it('a port at which something listens is open, and closed once nothing does', async () => {
  const probe = createPortProbe({ timeoutMs: 1_000, atOnce: 2 })
  const port = await listening()
  expect(await probe({ ip: '127.0.0.1', port })).toBe('open')
  servers.splice(0).forEach((server) => server.close())
  expect(await probe({ ip: '127.0.0.1', port })).toBe('closed')
})

it('sends nothing, and ends the connection', async () => {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (bytes) => heard.push(bytes.toString()))
    socket.on('end', () => heard.push('end'))
    socket.on('error', () => heard.push('end'))
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed = once(server, 'connection').then(([socket]: unknown[]) => once(socket as Server, 'close'))
  await createPortProbe({ timeoutMs: 1_000, atOnce: 1 })({ ip: '127.0.0.1', port })
  await closed
  expect(heard.filter((each) => each !== 'end')).toEqual([])
})

it('an address that never answers is silent after the time, and its connection is given up', async () => {
  const socket = new Socket()
  const dialled: object[] = []
  const dial = (target: { timeout: number }) => {
    dialled.push(target)
    return socket.setTimeout(target.timeout)
  }
  const probe = createPortProbe({ timeoutMs: 20, atOnce: 1, dial })
  expect(await probe({ ip: '192.0.2.1', port: 25_565 })).toBe('silent')
  expect([dialled, socket.destroyed]).toEqual([[{ host: '192.0.2.1', port: 25_565, timeout: 20 }], true])
})

it('looks no name up', async () => {
  const port = await listening()
  expect(await createPortProbe({ timeoutMs: 1_000, atOnce: 1 })({ ip: 'localhost', port })).toBe('silent')
})

it('tries so many at once and no more', async () => {
  const probe = createPortProbe({ timeoutMs: 1_000, atOnce: 2 })
  const port = await listening()
  const target = { ip: '127.0.0.1', port }
  expect((await Promise.all([probe(target), probe(target), probe(target)])).toSorted()).toEqual([
    'busy',
    'open',
    'open',
  ])
  expect(await probe(target)).toBe('open')
})
