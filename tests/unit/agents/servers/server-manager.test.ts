import { mkdtempSync, readdirSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { realDisk } from '../../../../agents/platform/disk.ts'
import { noFaults } from '../../../../agents/platform/fault-point.ts'
import { silentLog } from '../../../../agents/platform/logger.ts'
import { FakeDriver, FakeWorld } from '../../../../agents/runtime/fake/fake-driver.ts'
import type { NewEvent } from '../../../../agents/servers/server-core.ts'
import { ServerManager } from '../../../../agents/servers/server-manager.ts'
import type { ServerSpec } from '../../../../src/contracts/agent/server-spec.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../../factories/server-spec.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { addFakeGame } from '../../../support/fake-game.ts'
import { ManualTimers } from '../../../support/manual-timers.ts'
import { waitFor } from '../../../support/wait-for.ts'

let folder: string
let world: FakeWorld
let clock: ManualClock
let timers: ManualTimers
let events: NewEvent[]
let installs: number
let installExit: number
let logged: { fields: object; message: string }[]

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-servers-'))
  world = new FakeWorld()
  addFakeGame(world, 'game')
  installs = 0
  installExit = 0
  world.programs.set('installer', {
    started: (process) => {
      installs += 1
      process.print('Unpacking')
      process.exit(installExit)
    },
  })
  clock = new ManualClock()
  timers = new ManualTimers(clock)
  events = []
  logged = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const newManager = async (): Promise<ServerManager> => {
  const manager = new ServerManager({
    clock,
    timers,
    ids: { next: nextId },
    disk: realDisk,
    driver: new FakeDriver(world, clock),
    faults: noFaults,
    log: { ...silentLog, info: (fields, message) => void logged.push({ fields, message }) },
    emit: (event) => void events.push(event),
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
  return manager
}

const specOf = (change: Partial<ServerSpec> = {}) =>
  buildServerSpec({ install: [{ argv: ['installer'] }], startup: { argv: ['game'] }, ...change })
const fieldsOf = (spec: ServerSpec, id: string) => ({
  id,
  serverId: SERVER_ID,
  generation: spec.generation,
  requestId: 'r',
})

const install = async (manager: ServerManager, change: Partial<ServerSpec> = {}, id = nextId()) => {
  const spec = specOf(change)
  await manager.execute({ ...fieldsOf(spec, id), kind: 'install', spec })
  return result(id)
}
const power = async (
  manager: ServerManager,
  action: 'start' | 'stop' | 'restart' | 'kill',
  change: Partial<ServerSpec> = {},
) => {
  const id = nextId()
  const spec = specOf(change)
  await manager.execute({ ...fieldsOf(spec, id), kind: 'power', action, spec })
  return result(id)
}
const result = (id: string) =>
  events.flatMap((event) => (event.kind === 'command.finished' && event.commandId === id ? [event] : [])).at(-1)
const stateOf = (manager: ServerManager) => manager.find(SERVER_ID)?.core.record.state
const type = (manager: ServerManager, line: string) => manager.find(SERVER_ID)?.writeLine(line)
const states = () => events.flatMap((event) => (event.kind === 'server.state' ? [event.server.state] : []))

describe('servers of a node', () => {
  it('goes through its states in order and tells each with the id of the request [I3]', async () => {
    const manager = await newManager()
    expect(await install(manager)).toMatchObject({ ok: true })
    expect(await power(manager, 'start')).toMatchObject({ ok: true })
    expect(await power(manager, 'stop')).toMatchObject({ ok: true })
    expect(states()).toEqual(['installing', 'offline', 'starting', 'running', 'stopping', 'offline'])
    const requests = events.flatMap((event) => (event.kind === 'server.state' ? [event.requestId] : []))
    expect(new Set(requests)).toEqual(new Set(['r']))
  })

  it('logs the beginning and the end of a command with the id of its request [I3]', async () => {
    const manager = await newManager()
    await install(manager)
    const about = { serverId: SERVER_ID, requestId: 'r', command: 'install' }
    expect(logged).toMatchObject([
      { message: 'a command arrived', fields: about },
      { message: 'a command ended', fields: about },
    ])
  })

  it('refuses to start what is not installed, suspended, or unknown', async () => {
    const manager = await newManager()
    expect(await power(manager, 'start')).toMatchObject({ ok: false, code: 'NOT_INSTALLED' })
    await install(manager)
    expect(await power(manager, 'start', { generation: 2, suspended: true })).toMatchObject({ code: 'SUSPENDED' })
    expect(world.begun.filter((task) => !task.includes('-i'))).toEqual([])
  })

  it('reports a failed installation and can do it again', async () => {
    const manager = await newManager()
    installExit = 3
    expect(await install(manager)).toMatchObject({ ok: false, code: 'INSTALL_FAILED' })
    expect(stateOf(manager)).toBe('install_failed')
    installExit = 0
    expect(await install(manager)).toMatchObject({ ok: true })
  })

  it('runs a command id once and repeats its answer [A4]', async () => {
    const manager = await newManager()
    const id = nextId()
    await install(manager, {}, id)
    const answers = () => events.filter((event) => event.kind === 'command.finished').length
    expect(answers()).toBe(1)
    await install(manager, {}, id)
    expect(answers()).toBe(2)
    expect(installs).toBe(1)
  })

  it('refuses a stale generation and keeps what it knows [A5]', async () => {
    const manager = await newManager()
    await install(manager, { generation: 5 })
    expect(await power(manager, 'start', { generation: 4 })).toMatchObject({ ok: false, code: 'STALE_GENERATION' })
    expect(stateOf(manager)).toBe('offline')
    expect(manager.find(SERVER_ID)?.core.spec?.generation).toBe(5)
  })

  it('calls an end before the done text a failed start-up, and one after it a crash', async () => {
    const manager = await newManager()
    await install(manager)
    await power(manager, 'start', { generation: 2, environment: { GAME_EXIT_ON_START: '7' } })
    await waitFor('the failed start', () => stateOf(manager) === 'startup_failed')
    expect(manager.find(SERVER_ID)?.core.record.exit).toEqual({ code: 7, signal: null, oom: false })
    await power(manager, 'start', { generation: 3 })
    await type(manager, 'crash')
    await waitFor('the crash', () => stateOf(manager) === 'crashed')
  })

  it('waits for the done text before it calls a server running', async () => {
    const manager = await newManager()
    await install(manager)
    await power(manager, 'start', { generation: 2, environment: { GAME_SLOW: '1' } })
    expect(stateOf(manager)).toBe('starting')
    await type(manager, 'done')
    expect(stateOf(manager)).toBe('running')
  })

  it('goes down the chain to SIGKILL when the server does not listen', async () => {
    const manager = await newManager()
    await install(manager)
    await power(manager, 'start')
    await type(manager, 'deaf')
    const stopping = power(manager, 'stop', { stop: { kind: 'signal' } })
    await timers.advance(4_000)
    expect(stateOf(manager)).toBe('stopping')
    await timers.advance(60_000)
    expect(await stopping).toMatchObject({ ok: true })
    expect(manager.find(SERVER_ID)?.core.record).toMatchObject({ state: 'offline', exit: { signal: 'SIGKILL' } })
  })

  it('lets a kill end a stop that waits', async () => {
    const manager = await newManager()
    await install(manager)
    await power(manager, 'start')
    await type(manager, 'deaf')
    const stopping = power(manager, 'stop')
    await waitFor('the stop', () => stateOf(manager) === 'stopping')
    expect(await power(manager, 'kill')).toMatchObject({ ok: true })
    expect(await stopping).toMatchObject({ ok: true })
    expect(stateOf(manager)).toBe('offline')
  })

  it('builds a damaged record again, takes the running server in, and reports it', async () => {
    const first = await newManager()
    await install(first)
    await power(first, 'start')
    first.detach()
    const file = path.join(folder, 'servers/acdefghj/state/server.json')
    writeFileSync(file, '{"version":1,"spec":')
    const second = await newManager()
    expect(second.reports.join()).toContain('acdefghj')
    await waitFor('the server', () => stateOf(second) === 'running')
    expect(readdirSync(path.dirname(file)).some((name) => name.includes('corrupt'))).toBe(true)
    expect(world.begun.filter((task) => !task.includes('-i'))).toHaveLength(1)
    expect(await power(second, 'stop', { generation: 2 })).toMatchObject({ ok: true })
  })

  it('leaves a folder without an identity alone', async () => {
    realDisk.makeFolder(path.join(folder, 'servers/zzzz/root'), 0o700)
    const manager = await newManager()
    expect(manager.all()).toEqual([])
    expect(manager.reports.join()).toContain('zzzz')
    expect(existsSync(path.join(folder, 'servers/zzzz/root'))).toBe(true)
  })

  it('deletes only with a higher generation, and never takes the server back [A11]', async () => {
    const manager = await newManager()
    await install(manager, { generation: 3 })
    const remove = async (generation: number) => {
      const id = nextId()
      await manager.execute({ id, serverId: SERVER_ID, generation, requestId: 'r', kind: 'delete', tombstone: true })
      return result(id)
    }
    expect(await remove(3)).toMatchObject({ ok: false, code: 'STALE_GENERATION' })
    expect(await remove(4)).toMatchObject({ ok: true })
    expect(existsSync(path.join(folder, 'servers/acdefghj'))).toBe(false)
    expect(await install(manager, { generation: 3 })).toMatchObject({ ok: false, code: 'DELETED' })
    const again = await newManager()
    expect(await install(again, { generation: 9 })).toMatchObject({ ok: false, code: 'DELETED' })
  })

  it('says that a stop is its own end, and carries out nothing after it', async () => {
    const manager = await newManager()
    await install(manager)
    await power(manager, 'start')
    await manager.shutDown()
    const last = events.flatMap((event) => (event.kind === 'server.state' ? [event] : [])).slice(-2)
    expect(last.map(({ server, requestId }) => [server.state, requestId])).toEqual([
      ['stopping', 'agent-shutdown'],
      ['offline', 'agent-shutdown'],
    ])
    expect(await power(manager, 'start')).toBeUndefined()
    expect(stateOf(manager)).toBe('offline')
  })

  it('kills a server that its chain waits for when somebody has no patience', async () => {
    const manager = await newManager()
    await install(manager)
    await power(manager, 'start')
    await type(manager, 'deaf')
    const leaving = manager.shutDown()
    await waitFor('the chain to begin', () => stateOf(manager) === 'stopping')
    await manager.killAll()
    // The clock of this test stands still, so no step of the chain ever times out.
    await leaving
    expect(stateOf(manager)).toBe('offline')
  })

  it('gives every server a user of its own', async () => {
    const manager = await newManager()
    await install(manager)
    const other = specOf({ id: nextId(), identifier: 'kmnpqrtu' })
    const fields = { id: nextId(), serverId: other.id, generation: 1, requestId: 'r' }
    await manager.execute({ ...fields, kind: 'install', spec: other })
    expect(manager.all().map((server) => server.core.uid)).toEqual([210_000, 210_001])
  })
})
