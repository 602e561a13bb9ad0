import type { AgentCommand, ConsoleTail, ObservedServer } from '#contracts/agent/session.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { consoleTail } from './last-lines.ts'
import { ManagedServer, type SaidOfServer } from './managed-server.ts'
import type { ServerLayout } from './layout.ts'
import { failureOf, OK, refusal } from './power.ts'
import { ServerCore, type ServerDeps } from './server-core.ts'
import { ServerFiles, type ServerFilesDeps, type StoredServer } from './server-files.ts'
import { StartGate, type GateLimits } from './start-gate.ts'
import { Tombstones } from './tombstones.ts'

export interface ManagerDeps
  extends ServerDeps, Pick<ServerFilesDeps, 'dataFolder' | 'uidBase' | 'ownerOf' | 'removeTree' | 'quotas'> {
  readonly gateLimits?: GateLimits
  /** Ends whatever works on the server's files: its folder is about to be removed. */
  releaseFiles(server: { readonly id: string; readonly layout: ServerLayout }): Promise<void>
}

/** The welcome's data about this node's servers. */
export interface KnownServers {
  readonly servers: readonly ({ id: string } & SaidOfServer)[]
  readonly fenced: readonly { id: string; generation: number }[]
}

/** After this time starts continue without the control plane: its outage keeps no game stopped (rule A12). */
export const WAIT_FOR_WELCOME_MS = 15_000

/** All servers of this node. Commands for different servers run concurrently, those of one server in order. */
export class ServerManager {
  readonly #deps: ManagerDeps
  readonly #files: ServerFiles
  readonly #tombstones: Tombstones
  readonly #gate: StartGate
  readonly #servers = new Map<string, ManagedServer>()
  /** Servers whose folder is being created. */
  readonly #creating = new Map<string, Promise<ManagedServer>>()
  #isLeaving = false
  /** Sentences about damaged files on this disk. */
  readonly reports: string[] = []

  constructor(deps: ManagerDeps) {
    this.#deps = deps
    this.#files = new ServerFiles(deps)
    this.#tombstones = new Tombstones(deps.disk, deps.dataFolder)
    const limits = deps.gateLimits === undefined ? {} : { limits: deps.gateLimits }
    this.#gate = new StartGate(deps.timers, { isOpen: false, ...limits })
  }

  /**
   * Reads the disk and adopts every server. A damaged server is reported; the others are not delayed. Throws
   * STATE_NEWER, before anything is changed, when a newer agent has written here.
   */
  async adoptAll(): Promise<void> {
    const stored = await this.#files.readAll()
    this.reports.push(...this.#tombstones.load(), ...this.#files.reports)
    this.#deps.timers.after(WAIT_FOR_WELCOME_MS, () => this.#gate.open())
    for (const server of stored.map((found) => this.#open(found))) {
      try {
        await server.adopt()
      } catch (error) {
        this.reports.push(`Server ${server.core.spec?.identifier ?? server.core.id} could not be taken in.`)
        this.#deps.log.error({ err: error, serverId: server.core.id }, 'server not adopted')
      }
    }
  }

  find(serverId: string): ManagedServer | undefined {
    return this.#servers.get(serverId)
  }

  all(): ManagedServer[] {
    return [...this.#servers.values()]
  }

  observed(): ObservedServer[] {
    return this.all().map((server) => server.core.observed())
  }

  /** The last lines of a server's console; null for a server without any, and where they cannot be read. */
  consoleTail(serverId: string): ConsoleTail | null {
    const server = this.#servers.get(serverId)
    try {
      return server ? consoleTail(server.core.console) : null
    } catch (error) {
      this.#deps.log.error({ err: error, serverId }, 'a console could not be read')
      return null
    }
  }

  /** Applies the control plane's data, then releases the waiting starts. */
  welcomed({ servers, fenced }: KnownServers): void {
    for (const { id, generation } of fenced) this.#servers.get(id)?.fence(generation)
    for (const said of servers) this.#servers.get(said.id)?.learn(said)
    this.#gate.open()
  }

  /**
   * Carries out a command of the control plane. Resolves when it has ended; failures are results, not exceptions. Its
   * request id is logged from here on, so that one id follows an order through all programs (rule I3).
   */
  async execute(command: AgentCommand): Promise<void> {
    // An unanswered command is delivered again when the agent is back; carried out now, it would outlive the agent.
    if (this.#isLeaving) return
    const { id, serverId, requestId, kind } = command
    const action = kind === 'power' ? { action: command.action } : {}
    const about = { commandId: id, serverId, requestId, command: kind, ...action }
    this.#deps.log.info(about, 'a command arrived')
    try {
      await this.#carryOut(command)
    } catch (error) {
      this.#deps.log.error({ err: error, ...about }, 'a command failed in the agent')
      this.#answer(command, failureOf(error))
    }
    this.#deps.log.info(about, 'a command ended')
  }

  async #carryOut(command: AgentCommand): Promise<void> {
    const tombstone = this.#tombstones.find(command.serverId)
    if (tombstone !== undefined) {
      const repeated = tombstone.commandId === command.id
      const gone = command.kind === 'delete' ? OK : refusal('DELETED', 'The server was deleted from this node.')
      this.#answer(command, repeated ? OK : gone)
      return
    }
    if (command.kind === 'delete') {
      await this.#delete(command)
      return
    }
    const server = this.#servers.get(command.serverId) ?? (await this.#create(command.spec))
    await server.execute(command)
  }

  /** Stops every server by its stop chain. */
  async shutDown(): Promise<void> {
    this.#isLeaving = true
    await Promise.all(this.all().map((server) => server.shutDown()))
  }

  /** Ends all running servers without their stop chains. */
  async killAll(): Promise<void> {
    await Promise.all(this.all().map((server) => server.killNow()))
  }

  detach(): void {
    for (const server of this.#servers.values()) server.detach()
  }

  #answer(command: AgentCommand, result: { ok: boolean; code: string; detail: string }): void {
    this.#deps.emit({ kind: 'command.finished', commandId: command.id, serverId: command.serverId, ...result })
  }

  #open({ identity, layout, record }: StoredServer): ManagedServer {
    const core = new ServerCore({ id: identity.id, uid: identity.uid, layout }, record, this.#deps)
    const server = new ManagedServer(core, this.#gate)
    this.#servers.set(identity.id, server)
    return server
  }

  /** Two commands for a server that does not exist yet create it once. */
  #create(spec: ServerSpec): Promise<ManagedServer> {
    const pending = this.#creating.get(spec.id)
    if (pending !== undefined) return pending
    // One after the other: the next free user is known once the previous server has its own.
    const before = [...this.#creating.values()].at(-1)?.catch(() => undefined) ?? Promise.resolve(undefined)
    const creation = before
      .then(() => this.#files.create(spec))
      .then((stored) => this.#open(stored))
      .finally(() => this.#creating.delete(spec.id))
    this.#creating.set(spec.id, creation)
    return creation
  }

  /** A deletion needs a generation above the server's (rule A11); an older one is an outdated message. */
  async #delete(command: Extract<AgentCommand, { kind: 'delete' }>): Promise<void> {
    const { emit, log, faults } = this.#deps
    const { id: commandId, serverId, generation, requestId } = command
    const server = this.#servers.get(serverId)
    emit({ kind: 'command.accepted', commandId, serverId })
    if (server !== undefined && generation <= (server.core.spec?.generation ?? 0)) {
      this.#answer(command, refusal('STALE_GENERATION'))
      return
    }
    await faults('delete.accepted')
    if (server !== undefined) {
      // A partly failed deletion is ordered again, and then finds less to do.
      if (!this.#files.isGone(server.core.layout)) await server.endForDeletion()
      await this.#deps.releaseFiles(server.core)
      await this.#deps.driver.removeServer(serverId)
      await faults('delete.ended')
      await this.#files.remove(serverId, server.core.layout)
      this.#servers.delete(serverId)
      for (const listener of server.core.listeners) listener.deleted()
    }
    // Reported even if a crash followed the removal of the folder: otherwise nobody would learn that the deletion is
    // complete.
    const last = server?.core.observed() ?? { exit: null, installed: false, since: this.#deps.clock.now() }
    emit({ kind: 'server.state', server: { ...last, id: serverId, generation, state: 'deleted' }, requestId })
    await faults('delete.removed')
    this.#tombstones.write({ serverId, generation, commandId })
    log.info({ serverId, requestId }, 'server deleted')
    this.#answer(command, OK)
  }
}
