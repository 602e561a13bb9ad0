import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { realDisk } from '../../agents/platform/disk.ts'
import { noFaults } from '#platform/fault-point.ts'
import { type FaultPoint } from '../../agents/platform/fault-point.ts'
import { silentLog } from '#platform/logger.ts'
import { quotasOf } from '../../agents/quota/catalog.ts'
import { FakeDriver, FakeWorld } from '../../agents/runtime/fake/fake-driver.ts'
import type { NewEvent } from '../../agents/servers/server-core.ts'
import { ServerManager, type ManagerDeps } from '../../agents/servers/server-manager.ts'
import type { AgentCommand } from '../../src/contracts/agent/session.ts'
import type { ServerSpec } from '../../src/contracts/agent/server-spec.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../factories/server-spec.ts'
import { ManualClock } from '../setup/manual-clock.ts'
import { addFakeGame } from './fake-game.ts'
import { ManualTimers } from './manual-timers.ts'

type CommandOf<Kind> = Extract<AgentCommand, { kind: Kind }>

/** A machine with the fake runtime, and the servers of successive agents on its disk. Only the test advances time. */
export class ServerRig {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'bakter-servers-'))
  readonly world = new FakeWorld()
  readonly clock = new ManualClock()
  readonly timers = new ManualTimers(this.clock)
  readonly events: NewEvent[] = []
  readonly logged: { fields: object; message: string }[] = []
  bootId = 'boot-1'
  installs = 0
  /** The exit code of the next installations. */
  installExit = 0
  #current: ServerManager | undefined

  constructor() {
    addFakeGame(this.world, 'game')
    this.world.programs.set('installer', {
      started: (process) => {
        this.installs += 1
        process.print('Unpacking')
        process.exit(this.installExit)
      },
    })
  }

  remove(): void {
    this.#current?.detach()
    rmSync(this.folder, { recursive: true, force: true })
  }

  get manager(): ServerManager {
    if (this.#current === undefined) throw new Error('No agent was started.')
    return this.#current
  }

  /** A new agent on this machine; the previous one is gone as after kill -9. */
  async agent(
    options: { faults?: FaultPoint; welcomed?: boolean; change?: Partial<ManagerDeps> } = {},
  ): Promise<ServerManager> {
    this.#current?.detach()
    const manager = new ServerManager({
      clock: this.clock,
      timers: this.timers,
      ids: { next: nextId },
      disk: realDisk,
      driver: new FakeDriver(this.world, this.clock),
      faults: options.faults ?? noFaults,
      log: { ...silentLog, info: (fields, message) => void this.logged.push({ fields, message }) },
      emit: (event) => void this.events.push(event),
      node: { npmRegistry: undefined, caBundle: undefined, nodePath: 'node', npmCommand: ['npm'] },
      programFile: () => undefined,
      quotas: quotasOf('watcher', { clock: this.clock, timers: this.timers }),
      prepareFiles: () => Promise.resolve(),
      exceededStorage: () => Promise.resolve(undefined),
      releaseFiles: () => Promise.resolve(),
      afterInstall: () => Promise.resolve(),
      dataFolder: this.folder,
      uidBase: 210_000,
      bootId: this.bootId,
      ownerOf: () => undefined,
      ...options.change,
    })
    this.#current = manager
    await manager.adoptAll()
    if (options.welcomed !== false) manager.welcomed({ servers: [], fenced: [] })
    return manager
  }

  /** The machine loses power and restarts: every program is gone, and nothing saw it end. */
  reboot(): void {
    this.#current?.detach()
    this.world.loseEverything(this.clock.now())
    this.bootId = `boot-${this.clock.now()}-${this.events.length}`
  }

  spec(change: Partial<ServerSpec> = {}): ServerSpec {
    return buildServerSpec({ install: [{ argv: ['installer'] }], startup: { argv: ['game'] }, ...change })
  }

  async install(change: Partial<ServerSpec> = {}, id = nextId()) {
    const spec = this.spec(change)
    await this.manager.execute({ ...fieldsOf(spec, id), kind: 'install', spec })
    return this.result(id)
  }

  async power(
    action: CommandOf<'power'>['action'],
    change: Partial<ServerSpec> = {},
    more: { id?: string; paced?: boolean } = {},
  ) {
    const { id = nextId(), ...rest } = more
    const spec = this.spec(change)
    await this.manager.execute({ ...fieldsOf(spec, id), kind: 'power', action, spec, ...rest })
    return this.result(id)
  }

  result(id: string) {
    return this.events
      .flatMap((event) => (event.kind === 'command.finished' && event.commandId === id ? [event] : []))
      .at(-1)
  }

  server(serverId = SERVER_ID) {
    const server = this.manager.find(serverId)
    if (server === undefined) throw new Error(`There is no server ${serverId}.`)
    return server
  }

  state(serverId = SERVER_ID) {
    return this.manager.find(serverId)?.core.record.state
  }

  states(): string[] {
    return this.events.flatMap((event) => (event.kind === 'server.state' ? [event.server.state] : []))
  }

  activities(): string[] {
    return this.events.flatMap((event) => (event.kind === 'activity' ? [event.type] : []))
  }

  console(serverId = SERVER_ID): string[] {
    const { console } = this.server(serverId).core
    return console.after(0, 10_000).lines.map((line) => line.text)
  }
}

const fieldsOf = (spec: ServerSpec, id: string) => ({
  id,
  serverId: spec.id,
  generation: spec.generation,
  requestId: 'r',
})
