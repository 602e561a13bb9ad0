import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PanelDoor, type DoorDeps } from '../../../agents/http/panel-door.ts'
import { Revocations } from '../../../agents/http/revocations.ts'
import type { PanelSocketListener } from '../../../agents/http/websocket.ts'
import { realDisk } from '../../../agents/platform/disk.ts'
import { OVERLOAD } from '../../../src/contracts/overload.ts'
import { nextId, NODE_ID } from '../../factories/server-spec.ts'
import { ServerRig } from '../../support/server-rig.ts'

const ORIGIN = 'http://site.test'
const SERVERS = ['b', 'c', 'd', 'f'].map((letter, index) => ({
  id: `01990000-0000-7000-8000-0000000010${index}0`,
  identifier: `acdefgh${letter}`,
}))
let rig: ServerRig
let door: PanelDoor

beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
  for (const server of SERVERS) await rig.install(server)
  const sampler: Pick<DoorDeps['sampler'], 'watch' | 'latest' | 'history'> = {
    watch: () => () => {},
    latest: (core) =>
      Promise.resolve({
        state: core.record.state,
        cpu_absolute: 0,
        memory_bytes: 0,
        memory_limit_bytes: 0,
        disk_bytes: 0,
        disk_limit_bytes: 0,
        network: null,
        uptime: 0,
      }),
    history: () => {
      throw new Error('Nobody asks for it here.')
    },
  }
  door = new PanelDoor({
    clock: rig.clock,
    timers: rig.timers,
    // Each token is a user and a server.
    tokens: {
      read: (token, server) => {
        const now = Math.floor(rig.clock.now() / 1_000)
        const who = { aud: NODE_ID, sub: token, sid: null, jti: nextId(), server }
        const times = { iat: now, exp: now + 600 }
        const claims = { iss: 'bakter-control-plane', ...who, ...times, purpose: 'console', permissions: [] } as const
        return Promise.resolve({ ok: true, claims: { ...claims, permissions: [], address: '' } })
      },
    },
    activity: () => {},
    upgrade: ({ stream }, accept) => {
      const socket = stream as PassThrough & { listener?: PanelSocketListener; code?: number }
      socket.listener = accept({
        isOpen: () => socket.code === undefined,
        bufferedBytes: () => 0,
        send: () => {},
        ping: () => {},
        drop: () => {},
        sendText: (_text, sent) => sent(),
        close: (code) => {
          socket.code = code
          socket.listener?.closed()
        },
      })
    },
    sampler: sampler as DoorDeps['sampler'],
    revocations: new Revocations(realDisk, `${rig.folder}/revocations.json`, rig.clock),
    find: (id) => rig.manager.find(id),
  })
  door.learnOrigins([ORIGIN])
})
afterEach(() => rig.remove())

const comeIn = async (at: { address: string; server: number; user: string }) => {
  const stream = new PassThrough() as PassThrough & { listener?: PanelSocketListener; code?: number }
  stream.resume()
  const request = { headers: { origin: ORIGIN }, socket: { remoteAddress: at.address } } as unknown as IncomingMessage
  door.handleUpgrade(SERVERS[at.server]?.id ?? '', { request, stream, head: Buffer.alloc(0) })
  stream.listener?.received(JSON.stringify({ event: 'auth', args: [at.user] }))
  await rig.timers.advance(0)
  return stream
}

/** As many sockets as one address may hold, over all servers. */
const fill = async (addressOf: (index: number) => string) => {
  const sockets = []
  for (let index = 0; index < OVERLOAD.agent.sockets.perAddress; index += 1) {
    const at = { address: addressOf(index), server: index % SERVERS.length, user: `user ${index % 25}` }
    sockets.push(await comeIn(at))
  }
  expect(sockets.every(({ listener, code }) => listener !== undefined && code === undefined)).toBe(true)
  return sockets
}

describe('the listener of the per-server sockets', () => {
  it('allows an address 100 sockets over all servers, and does not affect others [case 137]', async () => {
    const sockets = await fill(() => '192.0.2.1')
    expect((await comeIn({ address: '192.0.2.1', server: 0, user: 'late' })).listener).toBeUndefined()
    expect((await comeIn({ address: '::ffff:192.0.2.1', server: 0, user: 'late' })).listener).toBeUndefined()
    expect((await comeIn({ address: '192.0.2.2', server: 0, user: 'other' })).listener).toBeDefined()
    sockets[0]?.listener?.closed()
    expect((await comeIn({ address: '192.0.2.1', server: 0, user: 'next' })).listener).toBeDefined()
  })

  it('counts all addresses of an IPv6 customer as one [case 137]', async () => {
    await fill((index) => `2001:db8:0:1::${index.toString(16)}`)
    expect((await comeIn({ address: '2001:db8:0:1:ffff::1', server: 0, user: 'late' })).listener).toBeUndefined()
    expect((await comeIn({ address: '2001:db8:0:2::1', server: 0, user: 'other' })).listener).toBeDefined()
  })
})
