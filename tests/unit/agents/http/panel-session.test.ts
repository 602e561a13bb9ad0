import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PanelSession, type PanelDeps } from '../../../../agents/http/panel-session.ts'
import type { ConsoleTokens } from '../../../../agents/http/console-token.ts'
import type { PanelSocket } from '../../../../agents/http/websocket.ts'
import { realDisk } from '../../../../agents/platform/disk.ts'
import { noFaults } from '../../../../agents/platform/fault-point.ts'
import { silentLog } from '../../../../agents/platform/logger.ts'
import { FakeDriver, FakeWorld } from '../../../../agents/runtime/fake/fake-driver.ts'
import type { ManagedServer } from '../../../../agents/servers/managed-server.ts'
import { ServerManager } from '../../../../agents/servers/server-manager.ts'
import { PANEL_LIMITS } from '../../../../src/contracts/panel/messages.ts'
import { PERMISSIONS } from '../../../../src/contracts/panel/permissions.ts'
import type { ConsoleTokenClaims } from '../../../../src/contracts/panel/token.ts'
import { buildServerSpec, nextId, NODE_ID, SERVER_ID, USER_ID } from '../../../factories/server-spec.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { addFakeGame } from '../../../support/fake-game.ts'
import { ManualTimers } from '../../../support/manual-timers.ts'

class FakeSocket implements PanelSocket {
  readonly sent: string[] = []
  closeCode: number | undefined
  buffered = 0
  isDropped = false
  pings = 0
  answersPings = true
  onPing: () => void = () => {}
  isOpen = () => this.closeCode === undefined
  bufferedBytes = () => this.buffered
  send = (text: string): void => void this.sent.push(text)
  sendText = (text: Buffer, sent: () => void): void => {
    this.sent.push(text.toString())
    sent()
  }
  close = (code: number): void => {
    this.closeCode = code
  }
  ping = (): void => {
    this.pings += 1
    if (this.answersPings) this.onPing()
  }
  drop = (): void => {
    this.isDropped = true
  }
}

let folder: string
let clock: ManualClock
let timers: ManualTimers
let server: ManagedServer
let socket: FakeSocket
let world: FakeWorld

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-session-'))
  clock = new ManualClock()
  timers = new ManualTimers(clock)
  world = new FakeWorld()
  addFakeGame(world, 'game')
  const manager = new ServerManager({
    clock,
    timers,
    ids: { next: nextId },
    disk: realDisk,
    driver: new FakeDriver(world, clock),
    faults: noFaults,
    log: silentLog,
    emit: () => {},
    node: { npmRegistry: undefined, caBundle: undefined, nodePath: 'node', npmCommand: ['npm'] },
    programFile: () => undefined,
    prepareRoot: () => {},
    afterInstall: () => Promise.resolve(),
    dataFolder: folder,
    uidBase: 210_000,
    bootId: 'boot-1',
    ownerOf: () => undefined,
  })
  await manager.adoptAll()
  manager.welcomed({ servers: [], fenced: [] })
  const spec = buildServerSpec({ install: [], startup: { argv: ['game'] } })
  const command = { id: nextId(), serverId: SERVER_ID, generation: 1, requestId: 'r', kind: 'install', spec } as const
  await manager.execute(command)
  const found = manager.find(SERVER_ID)
  if (found === undefined) throw new Error('There is no server.')
  server = found
  socket = new FakeSocket()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const openSession = async (): Promise<PanelSession> => {
  const nowSeconds = Math.floor(clock.now() / 1_000)
  const claims: ConsoleTokenClaims = {
    iss: 'bakter-control-plane',
    aud: NODE_ID,
    sub: USER_ID,
    sid: null,
    jti: nextId(),
    iat: nowSeconds,
    exp: nowSeconds + 600,
    purpose: 'console',
    server: SERVER_ID,
    permissions: [...PERMISSIONS],
  }
  const tokens: Pick<ConsoleTokens, 'read'> = {
    read: (token) => Promise.resolve(token === 'good' ? { ok: true, claims } : { ok: false, code: 'INVALID_TOKEN' }),
  }
  const deps: PanelDeps = {
    clock,
    timers,
    tokens,
    isRevoked: () => false,
    isPresent: () => true,
    admit: () => true,
    dismiss: () => {},
    latestStats: () => Promise.resolve('{}'),
    statsHistory: () => {
      throw new Error('Nobody asks for it here.')
    },
    activity: () => {},
  }
  const session = new PanelSession(server, socket, deps)
  socket.onPing = () => session.ponged()
  session.received(JSON.stringify({ event: 'auth', args: ['good'] }))
  await timers.advance(1)
  return session
}
const eventsOf = () => socket.sent.map((text) => (JSON.parse(text) as { event: string }).event)

describe('session of a per-server socket', () => {
  it('closes a reader that takes nothing from a full buffer with 4408, then drops it [P6]', async () => {
    await openSession()
    socket.answersPings = false
    socket.buffered = PANEL_LIMITS.bufferedBytes
    await timers.advance(PANEL_LIMITS.slowForMs)
    expect(socket.closeCode).toBeUndefined()
    await timers.advance(PANEL_LIMITS.slowForMs)
    expect(socket.closeCode).toBe(4408)
    expect(socket.isDropped).toBe(false)
    await timers.advance(5_000)
    expect(socket.isDropped).toBe(true)
  })

  it('keeps a slow reader that takes something, and gives it no history on top of what waits [P6]', async () => {
    const session = await openSession()
    for (let beat = 1; beat < 5; beat += 1) {
      socket.buffered = PANEL_LIMITS.bufferedBytes + beat
      await timers.advance(PANEL_LIMITS.slowForMs)
    }
    expect(socket.closeCode).toBeUndefined()
    session.received(JSON.stringify({ event: 'send history', args: [{ before: 5, limit: 5 }] }))
    session.received(JSON.stringify({ event: 'send stats history', args: [{ fromMs: 0, step: 60 }] }))
    expect(eventsOf().slice(-2)).toEqual(['throttled', 'throttled'])
  })

  it('drops a peer that answers no ping', async () => {
    await openSession()
    socket.answersPings = false
    await timers.advance(2 * PANEL_LIMITS.slowForMs)
    expect(socket.isDropped).toBe(true)
  })

  it('sends its reader away to dial again when another node has the server [A15, case 131]', async () => {
    await openSession()
    server.fence(2)
    expect(socket.closeCode).toBe(1012)
  })

  it('says and hears nothing after the end, whatever still arrives [case 131]', async () => {
    const session = await openSession()
    session.end(4401, 'revoked')
    const before = socket.sent.length
    for (const event of ['set state', 'send command']) {
      session.received(JSON.stringify({ event, args: [event === 'set state' ? 'start' : 'say x'] }))
    }
    session.received(JSON.stringify({ event: 'auth', args: ['good'] }))
    server.core.tell('news')
    await timers.advance(1_000)
    expect(socket.sent).toHaveLength(before)
    expect(world.begun).toEqual([])
  })
})
