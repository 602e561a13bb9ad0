import type { AgentCommand, ObservedServer } from '#contracts/agent/session.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import * as z from 'zod'
import { layoutOf, serversFolder, tombstonesFolder } from './layout.ts'
import { ManagedServer } from './managed-server.ts'
import { OK, refusal } from './power.ts'
import { ServerCore, type ServerDeps } from './server-core.ts'
import { newRecord, readIdentity, readRecord, writeIdentity, writeRecord, type ServerIdentity } from './state-file.ts'

const Tombstone = z.object({
  version: z.literal(1),
  serverId: z.string(),
  generation: z.number(),
  commandId: z.string(),
})
type Tombstone = z.infer<typeof Tombstone>

export interface ManagerDeps extends ServerDeps {
  readonly dataFolder: string
  readonly uidBase: number
}

const IDENTIFIER = /^[a-z0-9]{1,32}$/
const DELETING = '.deleting-'

/** All servers of this node. Commands for different servers run side by side, those of one server in order. */
export class ServerManager {
  readonly #deps: ManagerDeps
  readonly #servers = new Map<string, ManagedServer>()
  readonly #tombstones = new Map<string, Tombstone>()
  #isLeaving = false
  /** Sentences about what was found damaged on this disk. */
  readonly reports: string[] = []

  constructor(deps: ManagerDeps) {
    this.#deps = deps
  }

  /** Reads the disk and takes every server in again. A damaged server is reported; the others are not held up. */
  async adoptAll(): Promise<void> {
    const { disk, dataFolder, log } = this.#deps
    disk.makeFolder(serversFolder(dataFolder), 0o711)
    disk.makeFolder(tombstonesFolder(dataFolder), 0o700)
    this.#readTombstones()
    const halfDeleted = disk.list(serversFolder(dataFolder)).filter((name) => name.startsWith(DELETING))
    for (const name of halfDeleted) disk.remove(`${serversFolder(dataFolder)}/${name}`)
    for (const identifier of disk.list(serversFolder(dataFolder)).filter((name) => IDENTIFIER.test(name))) {
      const server = this.#open(identifier)
      if (server === undefined) continue
      this.#servers.set(server.core.id, server)
      try {
        await server.adopt()
      } catch (error) {
        this.reports.push(`Server ${identifier} could not be taken in.`)
        log.error({ err: error, serverId: server.core.id }, 'server not adopted')
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

  /**
   * Carries out a command of the control plane. Resolves when it has ended; failures are answered, not thrown. Its request
   * stands in the log from here on, so one id follows an order through all programs (rule I3).
   */
  async execute(command: AgentCommand): Promise<void> {
    // Unanswered, it is delivered again when the agent is back; carried out now, it would outlive the agent.
    if (this.#isLeaving) return
    const { id, serverId, requestId, kind } = command
    const action = kind === 'power' ? { action: command.action } : {}
    const about = { commandId: id, serverId, requestId, command: kind, ...action }
    this.#deps.log.info(about, 'a command arrived')
    await this.#carryOut(command)
    this.#deps.log.info(about, 'a command ended')
  }

  async #carryOut(command: AgentCommand): Promise<void> {
    const tombstone = this.#tombstones.get(command.serverId)
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
    const server = this.#servers.get(command.serverId) ?? this.#create(command.spec)
    await server.execute(command)
  }

  /** Stops every server by its chain. */
  async shutDown(): Promise<void> {
    this.#isLeaving = true
    await Promise.all(this.all().map((server) => server.shutDown()))
  }

  detach(): void {
    for (const server of this.#servers.values()) server.detach()
  }

  #answer(command: AgentCommand, result: { ok: boolean; code: string; detail: string }): void {
    this.#deps.emit({ kind: 'command.finished', commandId: command.id, serverId: command.serverId, ...result })
  }

  #create(spec: ServerSpec): ManagedServer {
    const { disk, clock, dataFolder } = this.#deps
    const layout = layoutOf(dataFolder, spec.identifier)
    disk.makeFolder(layout.base, 0o711)
    disk.makeFolder(layout.state, 0o700)
    disk.makeFolder(layout.console, 0o700)
    const identity: ServerIdentity = { version: 1, id: spec.id, identifier: spec.identifier, uid: this.#freeUid() }
    writeIdentity(disk, layout, identity)
    // Its own generation is not known yet to be in force here: the command that follows brings it.
    const record = newRecord(spec, clock.now())
    writeRecord(disk, layout, record)
    const server = new ManagedServer(new ServerCore({ id: spec.id, uid: identity.uid, layout }, record, this.#deps))
    this.#servers.set(spec.id, server)
    return server
  }

  #open(identifier: string): ManagedServer | undefined {
    const { disk, clock, dataFolder, log } = this.#deps
    const layout = layoutOf(dataFolder, identifier)
    const identity = readIdentity(disk, layout)
    if (identity === undefined) {
      this.reports.push(`The folder of server ${identifier} has no readable identity and is left alone.`)
      log.error({ identifier }, 'server without identity')
      return undefined
    }
    const reading = readRecord(disk, layout, clock.now())
    if (reading.is === 'corrupt') {
      this.reports.push(`The record of server ${identifier} was damaged and is built again.`)
      log.error({ serverId: identity.id, kept: reading.kept }, 'server record rebuilt')
    }
    const record = reading.is === 'read' ? reading.record : newRecord(null, clock.now())
    return new ManagedServer(new ServerCore({ id: identity.id, uid: identity.uid, layout }, record, this.#deps))
  }

  #freeUid(): number {
    const taken = new Set(this.all().map((server) => server.core.uid))
    let uid = this.#deps.uidBase
    while (taken.has(uid)) uid += 1
    return uid
  }

  /** A deletion needs a generation above the server's (rule A11); an older one is a message that was overtaken. */
  async #delete(command: Extract<AgentCommand, { kind: 'delete' }>): Promise<void> {
    const { disk, dataFolder, emit, log } = this.#deps
    const server = this.#servers.get(command.serverId)
    emit({ kind: 'command.accepted', commandId: command.id, serverId: command.serverId })
    if (server !== undefined && command.generation <= (server.core.spec?.generation ?? 0)) {
      this.#answer(command, refusal('STALE_GENERATION'))
      return
    }
    if (server !== undefined) {
      await server.endForDeletion()
      await this.#deps.driver.removeServer(command.serverId)
      // Renamed first, so that half a folder is never taken for a server after a crash.
      const doomed = `${serversFolder(dataFolder)}/${DELETING}${command.serverId}`
      disk.rename(server.core.layout.base, doomed)
      disk.remove(doomed)
      this.#servers.delete(command.serverId)
      for (const listener of server.core.listeners) listener.deleted()
      const gone = { ...server.core.observed(), generation: command.generation, state: 'deleted' as const }
      emit({ kind: 'server.state', server: gone, requestId: command.requestId })
    }
    const tombstone: Tombstone = {
      version: 1,
      serverId: command.serverId,
      generation: command.generation,
      commandId: command.id,
    }
    disk.writeAtomically(`${tombstonesFolder(dataFolder)}/${command.serverId}.json`, JSON.stringify(tombstone))
    this.#tombstones.set(command.serverId, tombstone)
    log.info({ serverId: command.serverId, requestId: command.requestId }, 'server deleted')
    this.#answer(command, OK)
  }

  #readTombstones(): void {
    const { disk, dataFolder } = this.#deps
    const folder = tombstonesFolder(dataFolder)
    for (const name of disk.list(folder).filter((entry) => entry.endsWith('.json'))) {
      try {
        const tombstone = Tombstone.parse(JSON.parse(disk.read(`${folder}/${name}`) ?? ''))
        this.#tombstones.set(tombstone.serverId, tombstone)
      } catch {
        this.reports.push(`The tombstone ${name} cannot be read.`)
      }
    }
  }
}
