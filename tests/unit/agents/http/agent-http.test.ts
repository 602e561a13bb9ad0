import type { Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { agentPath } from '#contracts/panel/agent-paths.ts'
import { createPublicServer } from '../../../../agents/http/agent-http.ts'
import type { ArchiveDoor } from '../../../../agents/http/archive-door.ts'
import type { FilesDoor } from '../../../../agents/http/files-door.ts'
import type { PanelDoor } from '../../../../agents/http/panel-door.ts'
import type { PortsDoor } from '../../../../agents/http/ports-door.ts'
import { SERVER_ID } from '../../../factories/server-spec.ts'
import { waitFor } from '../../../support/wait-for.ts'

let streams: Duplex[]
let server: Server
let port: number

beforeEach(async () => {
  streams = []
  const panel = {
    knowsOrigin: () => false,
    // Holds the handshake, as while a token is checked.
    handleUpgrade: (_serverId: string, { stream }: { stream: Duplex }) => void streams.push(stream),
  } as unknown as PanelDoor
  const archives = {} as unknown as ArchiveDoor
  const files = {} as unknown as FilesDoor
  const ports = {} as unknown as PortsDoor
  server = createPublicServer({ panel, archives, files, ports }) as Server
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  server.closeAllConnections()
  for (const stream of streams) stream.destroy()
  await new Promise((done) => server.close(done))
})

describe('the public listener of a node', () => {
  it('responds after a client reset its connection during a handshake', async () => {
    const client = connect(port, '127.0.0.1')
    client.write(
      `GET ${agentPath('socket', SERVER_ID)} HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    const stream = await waitFor('the handshake', () => streams[0])
    client.resetAndDestroy()
    await waitFor('the connection to be gone', () => stream.closed)
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    expect(answer.status).toBe(404)
  })

  it('cuts a body that outlasts its response, and survives a client that is gone by then', async () => {
    const half = 'POST /nothing HTTP/1.1\r\nHost: node\r\nContent-Length: 1000\r\n\r\nhalf'
    const [staying, leaving] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    const answers = ['', '']
    let isCut = false
    staying.on('data', (data) => (answers[0] += String(data)))
    staying.once('close', () => (isCut = true))
    leaving.on('data', (data) => (answers[1] += String(data)))
    for (const client of [staying, leaving]) {
      client.on('error', () => {})
      client.write(half)
    }
    await waitFor('both responses', () => answers.every((answer) => answer.startsWith('HTTP/1.1 404')))
    leaving.resetAndDestroy()
    expect(isCut).toBe(false)
    await waitFor('the end of the connection', () => isCut, 12_000)
    const response = await fetch(`http://127.0.0.1:${port}/nothing`)
    expect(response.status).toBe(404)
  })
})
