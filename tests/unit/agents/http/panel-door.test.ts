import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { PassThrough } from 'node:stream'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PanelDoor } from '../../../../agents/http/panel-door.ts'
import { Revocations } from '../../../../agents/http/revocations.ts'
import type { PanelSocketListener, Upgrade } from '../../../../agents/http/websocket.ts'
import { realDisk } from '../../../../agents/platform/disk.ts'
import { silentLog } from '#platform/logger.ts'
import { quotasOf } from '../../../../agents/quota/catalog.ts'
import { StatsSampler } from '../../../../agents/stats/sampler.ts'
import { OVERLOAD } from '../../../../src/contracts/overload.ts'
import { PERMISSIONS } from '../../../../src/contracts/panel/permissions.ts'
import { nextId, NODE_ID } from '../../../factories/server-spec.ts'
import { FakePanelSocket } from '../../../support/fake-panel-socket.ts'
import { ServerRig } from '../../../support/server-rig.ts'

const ORIGIN = 'https://site.test'
const SERVERS = 5

type Visitor = { socket: FakePanelSocket; listener: PanelSocketListener | undefined; answer: () => string }

let rig: ServerRig
let door: PanelDoor
let serverIds: string[]
let accepted: { socket: FakePanelSocket; listener: PanelSocketListener }[]

beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
  serverIds = []
  for (let number = 0; number < SERVERS; number += 1) {
    const id = nextId()
    await rig.install({ id, identifier: `acdefgh${number + 2}` })
    serverIds.push(id)
  }
  const { clock, timers } = rig
  const upgrade: Upgrade = (_handshake, accept) => {
    const socket = new FakePanelSocket()
    const listener = accept(socket)
    socket.onPing = () => listener.ponged()
    accepted.push({ socket, listener })
  }
  accepted = []
  const sampler = new StatsSampler({
    clock,
    timers,
    quotas: quotasOf('watcher', { clock, timers }),
    log: silentLog,
    players: { of: () => null, history: () => null },
    servers: () => [],
  })
  door = new PanelDoor({
    clock,
    timers,
    upgrade,
    sampler,
    revocations: new Revocations(realDisk, path.join(rig.folder, 'revocations.json'), clock),
    activity: () => {},
    find: (id) => rig.manager.find(id),
    tokens: {
      read: (token, server) => {
        const nowSeconds = Math.floor(clock.now() / 1_000)
        const times = { iat: nowSeconds, exp: nowSeconds + 600 }
        const names = { iss: 'bakter-control-plane', aud: NODE_ID, sub: token, sid: null, jti: nextId() } as const
        return Promise.resolve({
          ok: true,
          claims: { ...names, ...times, purpose: 'console', server, permissions: [...PERMISSIONS], address: '' },
        })
      },
    },
  })
  door.learnOrigins([ORIGIN])
})
afterEach(() => rig.remove())

/** A handshake from an address; `answer` is what was said instead of letting it in. */
const visit = (address: string, serverId: string | undefined): Visitor => {
  const stream = new PassThrough()
  let said = ''
  stream.on('data', (bytes: Buffer) => {
    said += bytes.toString()
  })
  const before = accepted.length
  const request = { headers: { origin: ORIGIN }, socket: { remoteAddress: address } } as unknown as IncomingMessage
  door.handleUpgrade(serverId ?? '', { request, stream, head: Buffer.alloc(0) })
  const entered = accepted.slice(before)[0]
  return {
    socket: entered?.socket ?? new FakePanelSocket(),
    listener: entered?.listener,
    answer: () => said.split('\r\n')[0] ?? '',
  }
}

/** A visitor who says at once who they are. No user and no server meets a limit of its own: 20 a server, 2 a user. */
const enter = async (address: string, number: number): Promise<Visitor> => {
  const visitor = visit(address, serverIds[number % SERVERS])
  visitor.listener?.received(JSON.stringify({ event: 'auth', args: [`user ${number % 50}`] }))
  await rig.timers.advance(1)
  return visitor
}

describe('the door of the per-server sockets', () => {
  it('lets an address hold so many sockets over all servers, and others come in beside it [P11, case 137]', async () => {
    const held: Visitor[] = []
    for (let number = 0; number < OVERLOAD.agent.sockets.perAddress; number += 1) {
      held.push(await enter('203.0.113.7', number))
    }
    expect(held.every(({ socket }) => socket.isOpen() && socket.events()[0]?.event === 'auth success')).toBe(true)
    expect(door.sockets).toBe(OVERLOAD.agent.sockets.perAddress)
    const late = visit('203.0.113.7', serverIds[0])
    expect(late.listener).toBeUndefined()
    await rig.timers.advance(1)
    expect(late.answer()).toBe('HTTP/1.1 503 Service Unavailable')
    expect((await enter('203.0.113.8', 100)).socket.isOpen()).toBe(true)
    held[0]?.listener?.closed()
    const next = await enter('203.0.113.7', 100)
    expect(next.socket.events()[0]?.event).toBe('auth success')
  })

  it('bounds how many of an address have not said who they are [case 137]', async () => {
    const silent = Array.from({ length: 30 }, () => visit('203.0.113.7', serverIds[0]))
    expect(silent.every(({ listener }) => listener !== undefined)).toBe(true)
    expect(visit('203.0.113.7', serverIds[1]).listener).toBeUndefined()
    const other = visit('203.0.113.8', serverIds[1])
    expect(other.listener).toBeDefined()
    // A socket that speaks makes room for the next.
    silent[0]?.listener?.received(JSON.stringify({ event: 'auth', args: ['user 1'] }))
    await rig.timers.advance(1)
    expect(visit('203.0.113.7', serverIds[1]).listener).toBeDefined()
  })

  it('bounds how many there are of all addresses that have not said who they are [case 137]', () => {
    const silent = Array.from({ length: 200 }, (_, number) => visit(`203.0.113.${number}`, serverIds[0]))
    expect(silent.every(({ listener }) => listener !== undefined)).toBe(true)
    expect(visit('198.51.100.1', serverIds[0]).listener).toBeUndefined()
  })
})
