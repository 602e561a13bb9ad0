import os from 'node:os'
import { statfsSync } from 'node:fs'
import { listen } from '#platform/listen.ts'
import { LOGIN_CHECK_MS } from '#contracts/logins/node-login.ts'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import type { AgentSettings } from './agent-settings.ts'
import { ControlPlaneConnection } from './connection/control-plane-connection.ts'
import { enrol } from './connection/enrol.ts'
import { postJson } from './connection/http-post.ts'
import { NodeIdentity } from './connection/identity.ts'
import { Outbox } from './connection/outbox.ts'
import { reconnectDelayMs } from './platform/back-off.ts'
import type { OutboxEvent } from './connection/storable-event.ts'
import { connectWebSocket } from './connection/websocket.ts'
import { createFileDoors, type FileDoors } from './file-doors.ts'
import type { FileWorkers } from './files/file-workers.ts'
import { createFileWorkers } from './files/recorded-workers.ts'
import { createPublicServer } from './http/agent-http.ts'
import { ArchiveDoor } from './http/archive-door.ts'
import type { OpenCertificate } from './acme/catalog.ts'
import { Certificate, type CertificateHooks, type ServedCertificate } from './http/certificate.ts'
import { ConsoleTokens } from './http/console-token.ts'
import { createHealthServer } from './http/health.ts'
import { PanelDoor, type DoorDeps } from './http/panel-door.ts'
import { Revocations } from './http/revocations.ts'
import { UsedTokens } from './http/used-tokens.ts'
import { createUpgrade } from './http/websocket.ts'
import type { RegistryCache } from './npm/registry-cache.ts'
import { AgentError } from './platform/agent-error.ts'
import type { Bundles } from './platform/bundles.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from './platform/disk.ts'
import type { FaultPoint } from './platform/fault-point.ts'
import type { Ids, RandomSource } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import { exceededStorage } from './quota/exceeded-storage.ts'
import { ownerOf, prepareFiles } from './servers/server-folders.ts'
import { sleep, type Timers } from './platform/timers.ts'
import type { RuntimeDriver } from './runtime/driver/runtime-driver.ts'
import { afterInstall } from './servers/after-install.ts'
import { ServerManager, type ManagerDeps } from './servers/server-manager.ts'
import type { Quotas } from './quota/catalog.ts'
import { ownAddresses } from './players/own-addresses.ts'
import { PlayersPoller } from './players/players-poller.ts'
import { QueryPool } from './players/query-pool.ts'
import { StatsSampler } from './stats/sampler.ts'

export interface AgentDeps {
  readonly settings: AgentSettings
  readonly clock: Clock
  readonly timers: Timers
  readonly ids: Ids
  readonly random: RandomSource
  readonly disk: Disk
  readonly log: Log
  readonly faults: FaultPoint
  readonly driver: RuntimeDriver
  /** Where the files of servers lie, and what bounds them. */
  readonly quotas: Quotas
  /**
   * Already open: a resumed installation fetches its packages from the node. Undefined if the registry is left to npm's
   * own settings: certificates and proxies then are too, and only npm reads those.
   */
  readonly npm: RegistryCache | undefined
  /** Undefined: the certificate comes from files, or there is none. */
  readonly acme: OpenCertificate | undefined
  readonly bundles: Bundles
  readonly npmCommand: readonly string[]
  readonly bootId: string | null
}

const MIB = 1024 * 1024
/** How often events that the disk refused are written again. */
const FLUSH_MS = 5_000

/** Wires the agent's parts and defines the order of starting and stopping. */
export class Agent {
  readonly #deps: AgentDeps
  readonly #identity: NodeIdentity
  readonly #outbox: Outbox
  readonly #tokens: ConsoleTokens
  readonly #queries: QueryPool
  readonly #players: PlayersPoller
  readonly #sampler: StatsSampler
  readonly #door: PanelDoor
  readonly #archives: ArchiveDoor
  readonly #fileWorkers: FileWorkers
  readonly #doors: FileDoors
  readonly #connection: ControlPlaneConnection
  readonly manager: ServerManager
  readonly #closers: (() => void)[] = []
  #certificate: ServedCertificate | undefined
  #stopping = false

  constructor(deps: AgentDeps) {
    this.#deps = deps
    const { settings, disk, clock, timers } = deps
    disk.makeFolder(settings.dataFolder, 0o711)
    this.#identity = new NodeIdentity(disk, settings.dataFolder)
    this.#outbox = new Outbox(`${settings.dataFolder}/outbox`, { disk, clock, log: deps.log })
    this.#tokens = new ConsoleTokens(clock, () => this.#identity.nodeId)
    this.#fileWorkers = createFileWorkers(deps)
    this.manager = this.#createManager()
    const servers = () => this.manager.all().map((server) => server.core)
    this.#queries = new QueryPool(deps.bundles.playerQueries)
    this.#players = new PlayersPoller({
      clock,
      timers,
      log: deps.log,
      servers,
      isOwnAddress: ownAddresses(clock),
      ask: (question) => this.#queries.ask(question),
      tell: (counts) => this.#connection.tellPlayers(counts),
    })
    this.#sampler = new StatsSampler({
      clock,
      timers,
      log: deps.log,
      quotas: deps.quotas,
      servers,
      players: this.#players,
    })
    const revocations = new Revocations(disk, `${settings.dataFolder}/revocations.json`, clock)
    const find = (serverId: string) => this.manager.find(serverId)
    const activity: DoorDeps['activity'] = (entry) => this.#emit({ kind: 'activity', ...entry })
    this.#door = new PanelDoor({
      clock,
      timers,
      tokens: this.#tokens,
      upgrade: createUpgrade(PANEL_LIMITS.maxFrameBytes),
      sampler: this.#sampler,
      revocations,
      find,
      activity,
    })
    const used = new UsedTokens(disk, `${settings.dataFolder}/used-tokens.json`, clock)
    const { log, ids } = deps
    const common = { clock, log, tokens: this.#tokens, used, revocations, find }
    this.#archives = new ArchiveDoor({ ...common, timers, ids })
    this.#doors = createFileDoors(
      { ...common, timers, ids, disk, driver: deps.driver, settings },
      {
        workers: this.#fileWorkers,
        quotas: deps.quotas,
        activity,
        servers: () => this.manager.all(),
        ask: (question) => this.#connection.ask(question),
      },
    )
    this.#connection = this.#createConnection()
  }

  /**
   * Adopts the servers, opens the listeners and connects to the control plane. An unreachable control plane is not an
   * error.
   */
  async start(): Promise<void> {
    const { settings, log, driver, timers } = this.#deps
    // Warnings marked for the operator also appear in the output of `npm start`.
    for (const warning of driver.capabilities().warnings) log.warn({ runtime: driver.name, operator: true }, warning)
    this.#closers.push(() => this.#deps.npm?.close())
    await this.manager.adoptAll()
    for (const report of this.manager.reports) log.error({}, report)
    const healthServer = createHealthServer({
      missing: () => this.#missing(),
      notes: () => [this.#certificate?.missing() ?? []].flat(),
      serverStates: () => this.manager.all().map((server) => server.core.record.state),
      sockets: () => this.#door.sockets,
      pendingEvents: () => this.#outbox.pending,
      droppedEvents: () => this.#outbox.dropped,
    })
    await this.#openPublicListeners()
    await listen(healthServer, { port: settings.healthPort, host: '127.0.0.1' })
    this.#sampler.start()
    this.#players.start()
    this.#closers.push(
      timers.every(FLUSH_MS, () => this.#outbox.flush()),
      timers.every(LOGIN_CHECK_MS, () => void this.#doors.sftp.check()),
      this.#doors.watch(),
      () => this.#sampler.stop(),
      () => this.#players.stop(),
      () => this.#queries.close(),
      () => healthServer.close(),
    )
    log.info({ port: settings.port, servers: this.manager.all().length, runtime: driver.name }, 'agent started')
    void this.#dial()
  }

  /** Disconnects browsers, ends the servers if requested, and exits. Otherwise servers keep running. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#door.drain()
    this.#archives.drain()
    this.#doors.files.drain()
    this.#doors.sftp.close()
    const filesClosed = this.#fileWorkers.close()
    for (const close of this.#closers) close()
    if (this.#deps.settings.stopServersOnExit) await this.manager.shutDown()
    this.manager.detach()
    this.#deps.driver.close()
    this.#connection.close()
    this.#outbox.close()
    await filesClosed
  }

  /** While `stop` waits for servers to end by their stop chains: ends them at once. */
  async hurry(): Promise<void> {
    if (this.#deps.settings.stopServersOnExit) await this.manager.killAll()
  }

  /** One listener for each address, so that both IPv4 and IPv6 work. */
  async #openPublicListeners(): Promise<void> {
    const { settings } = this.#deps
    const servers: ReturnType<typeof createPublicServer>[] = []
    const certificate = this.#openCertificate({
      changed: (pair) => {
        for (const server of servers) if ('setSecureContext' in server) server.setSecureContext(pair)
      },
      alarm: (alarm, detail) => this.#emit({ kind: 'node.alarm', alarm, detail }),
    })
    this.#certificate = certificate
    for (const host of settings.hosts) {
      const server = createPublicServer(
        { panel: this.#door, archives: this.#archives, files: this.#doors.files, ports: this.#doors.ports },
        certificate,
      )
      await listen(server, { port: settings.port, host })
      servers.push(server)
      await this.#doors.sftp.listen({ port: settings.sftpPort, host })
      this.#closers.push(() => server.close())
    }
    certificate?.watch()
    this.#closers.push(() => certificate?.close())
  }

  #openCertificate(hooks: CertificateHooks): ServedCertificate | undefined {
    const { settings, acme, clock, timers, log } = this.#deps
    if (acme !== undefined) return acme(hooks)
    return settings.tls === undefined
      ? undefined
      : new Certificate({ files: settings.tls, clock, timers, log, ...hooks })
  }

  #emit(event: OutboxEvent): void {
    this.#connection.emit(event)
  }

  #missing(): string[] {
    const missing: string[] = []
    if (this.#identity.nodeId === undefined) missing.push('enrolment')
    if (!this.#connection.isReady) missing.push('control-plane')
    if (!this.#tokens.hasKeys) missing.push('console-keys')
    if (this.#certificate?.missing() !== undefined) missing.push('certificate')
    return missing
  }

  #createManager(): ServerManager {
    const { settings, driver, bundles, clock, timers, ids, disk, log, faults, quotas } = this.#deps
    const { ownUser } = driver.capabilities()
    const releaseFiles: ManagerDeps['releaseFiles'] = ({ id, layout }) =>
      this.#fileWorkers.end({ serverId: id, stateFile: layout.fileWorkerFile })
    return new ServerManager({
      clock,
      timers,
      ids,
      disk,
      log,
      faults,
      driver,
      dataFolder: settings.dataFolder,
      uidBase: settings.uidBase,
      bootId: this.#deps.bootId,
      ownerOf,
      emit: (event) => this.#emit(event),
      node: this.#nodeSettings(),
      programFile: (name) => bundles.programs.get(name),
      quotas,
      prepareFiles: (server, wipe) => prepareFiles(server, { quotas, log, ownUser, releaseFiles, wipe }),
      exceededStorage: (server) => exceededStorage(server, quotas),
      releaseFiles,
      afterInstall: (layout, uid) => afterInstall(layout, ownUser ? uid : null),
    })
  }

  #nodeSettings(): ManagerDeps['node'] {
    const { settings, driver, npm, npmCommand } = this.#deps
    return {
      // A container finds the cache at its own network's gateway, which its driver knows.
      get npmRegistry() {
        return driver.name === 'docker' ? settings.npmRegistry : (npm?.url ?? settings.npmRegistry)
      },
      caBundle: settings.caBundle,
      nodePath: process.execPath,
      npmCommand,
    }
  }

  #createConnection(): ControlPlaneConnection {
    const { settings, driver, clock, timers, random, log } = this.#deps
    return new ControlPlaneConnection({
      url: settings.controlPlaneUrl,
      connect: connectWebSocket,
      clock,
      timers,
      random,
      log,
      identity: this.#identity,
      outbox: this.#outbox,
      agentVersion: settings.version,
      runtime: driver.name,
      resources: () => this.#resources(),
      observed: () => this.manager.observed(),
      onWelcome: (known) => this.manager.welcomed(known),
      onCommand: (command) =>
        void this.manager.execute(command).catch((error: unknown) => {
          log.error({ err: error, serverId: command.serverId, requestId: command.requestId }, 'command failed')
        }),
      onKeys: ({ consoleKeys, siteOrigins }) => {
        this.#door.learnOrigins(siteOrigins)
        void this.#tokens
          .learn(consoleKeys)
          .catch((error: unknown) => log.error({ err: error }, 'console keys refused'))
      },
      onRevoke: (revocation) => {
        this.#door.revoke(revocation)
        this.#archives.revoked()
        this.#doors.files.revoked()
        this.#doors.sftp.revoked()
      },
      onLogin: (answer) => this.#doors.logins.answered(answer),
      tailOf: (serverId) => this.manager.consoleTail(serverId),
      onLost: () => this.#doors.logins.lost(),
    })
  }

  #resources(): { memoryMiB: number; storageMiB: number; cores: number } {
    const { bavail, bsize } = statfsSync(this.#deps.settings.dataFolder)
    return {
      memoryMiB: Math.floor(os.totalmem() / MIB),
      storageMiB: Math.floor((bavail * bsize) / MIB),
      cores: os.availableParallelism(),
    }
  }

  /** Enrols first if this node never did. An unreachable control plane is retried without limit. */
  async #dial(): Promise<void> {
    const { settings, log, timers, random } = this.#deps
    for (let attempt = 0; this.#identity.nodeId === undefined && !this.#stopping; attempt += 1) {
      try {
        await this.#enrolOnce()
      } catch (error) {
        const final = !(error instanceof AgentError) || !error.retryable
        const message = error instanceof Error ? error.message : 'The enrolment failed.'
        if (attempt === 0 || final) log.error({ controlPlaneUrl: settings.controlPlaneUrl }, message)
        if (final) return
        await sleep(timers, reconnectDelayMs(attempt, random))
      }
    }
    if (!this.#stopping) this.#connection.open()
  }

  async #enrolOnce(): Promise<void> {
    const { settings, log } = this.#deps
    if (settings.enrolmentToken === undefined) {
      throw new AgentError(
        'ENROLMENT_REFUSED',
        'This node is not enrolled. Set AGENT_ENROLMENT_TOKEN to a fresh token.',
      )
    }
    const answer = await enrol(postJson, settings.controlPlaneUrl, {
      token: settings.enrolmentToken,
      publicKey: this.#identity.publicKey,
      agentVersion: settings.version,
      hostname: os.hostname(),
    })
    this.#identity.remember(answer)
    log.info({ nodeId: answer.nodeId }, 'this node is enrolled')
  }
}
