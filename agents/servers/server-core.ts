import type { AgentEvent, ObservedServer } from '#contracts/agent/session.ts'
import type { Program, ServerSpec } from '#contracts/agent/server-spec.ts'
import type { Usage } from '#contracts/panel/node-files.ts'
import { Fanout } from '../console/fanout.ts'
import type { NoteLine } from '../console/notes.ts'
import { startupDetector, type LineTest } from '../console/startup-detector.ts'
import { AgentError } from '../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../platform/disk.ts'
import type { FaultPoint } from '../platform/fault-point.ts'
import type { IdSource } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import { sleep, type Timers } from '../platform/timers.ts'
import type {
  ProgramPlace,
  RefreshableConsole,
  RuntimeDriver,
  TaskObservation,
} from '../runtime/driver/runtime-driver.ts'
import type { TaskExit, TaskHandle } from '../runtime/driver/task-handle.ts'
import type { ServerLayout } from './layout.ts'
import type { PlacedServer } from './server-folders.ts'
import { environmentOf, resolveProgram } from './program.ts'
import {
  writeRecord,
  writeRecordInReserve,
  type CommandResult,
  type ServerRecord,
  type ServerState,
} from './state-file.ts'

type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq' | 'atMs'> : never
export type NewEvent = WithoutSeq<AgentEvent>

export interface ServerDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly ids: IdSource
  readonly disk: Disk
  readonly driver: RuntimeDriver
  readonly faults: FaultPoint
  readonly log: Log
  /** The id of this boot of the machine; null if the machine does not provide it. */
  readonly bootId: string | null
  /**
   * Stores the event until the control plane has acknowledged it. Never throws: an event that the disk refuses waits in
   * memory.
   */
  emit(event: NewEvent): void
  readonly node: {
    readonly npmRegistry: string | undefined
    readonly caBundle: string | undefined
    readonly nodePath: string
    /** argv that runs npm. */
    readonly npmCommand: readonly string[]
  }
  programFile(name: string): string | undefined
  /** Makes the customer's folder, emptied if `wipe` says so, and gives it its size as far as nothing uses it (server-folders.ts). */
  prepareFiles(server: PlacedServer, wipe: boolean): Promise<void>
  /** The used storage if it is too much for a start (agents/quota/exceeded-storage.ts). */
  exceededStorage(server: PlacedServer): Promise<Usage | undefined>
  afterInstall(layout: ServerLayout, uid: number): Promise<void>
}

/** Callbacks of the per-server socket. */
export interface ServerListener {
  status(state: ServerState): void
  installStarted(): void
  installCompleted(ok: boolean): void
  message(note: NoteLine): void
  suspended(): void
  /** Another node has the server now. */
  moved(): void
  deleted(): void
}

const LIVE: readonly ServerState[] = ['starting', 'running', 'stopping']
const SCAN_LINES = 500
/** A console without viewers is read a few times a second, so that a flood costs little. */
const UNWATCHED_PACE_MS = 200
/** More viewers get fewer and larger batches: the work stays the same and the delay is not noticeable. */
const PACE_MS = 25
const MAX_PACE_MS = 100
const LATE_WEIGHT = 4
/** Delay before a failed step is retried. */
const AGAIN_MS = 5_000

/**
 * One server's record, console and running task. install.ts, power.ts and adopt-dangling.ts decide; this class ensures
 * that a decision is on disk before it is carried out and is announced afterwards.
 */
export class ServerCore {
  readonly id: string
  readonly uid: number
  readonly layout: ServerLayout
  readonly deps: ServerDeps
  readonly console: RefreshableConsole
  readonly fanout: Fanout
  readonly listeners = new Set<ServerListener>()
  record: ServerRecord
  /** Called once for every end of a server's program; set by the power functions. */
  onServerExit: (exit: TaskExit) => Promise<void> = () => Promise.resolve()
  /** Called after every change of state. */
  onMove: (state: ServerState) => void = () => {}
  #taskEnd: Promise<TaskExit> | undefined
  #unfollow: () => void = () => {}
  #following = false
  #detached = false
  #scannedSeq = 0
  #isDone: LineTest = () => false
  #isResting = false
  #lateMs = 0
  #hasNewOutput = false
  /** The record contains changes that the disk refused. */
  #isUnwritten = false

  constructor(who: { id: string; uid: number; layout: ServerLayout }, record: ServerRecord, deps: ServerDeps) {
    this.id = who.id
    this.uid = who.uid
    this.layout = who.layout
    this.record = record
    this.deps = deps
    this.console = deps.driver.openConsole(who.layout)
    this.fanout = new Fanout(this.console)
  }

  /** Whether the end of the current task will be noticed. */
  get isFollowing(): boolean {
    return this.#following
  }

  get isLive(): boolean {
    return LIVE.includes(this.record.state)
  }

  get runningSinceMs(): number | null {
    return this.record.state === 'running' ? this.record.since : null
  }

  get spec(): ServerSpec | null {
    return this.record.spec
  }

  observed(): ObservedServer {
    const { state, exit, installed, since, crashes, restartAtMs, spec, startedGeneration: started } = this.record
    const told = { state, exit, installed, since, crashes: crashes.length, restartAt: restartAtMs }
    const running = this.isLive && started !== undefined ? { runningGeneration: started } : {}
    return { id: this.id, generation: spec?.generation ?? 0, ...told, ...running }
  }

  /**
   * Writes the record, on a full disk into its reserved space. When it returns, the change survives a crash, unless the
   * disk refuses everything: then it is in force in memory and written as soon as possible, because a server must be
   * stoppable, suspendable and deletable there too.
   */
  save(patch: Partial<ServerRecord>): void {
    try {
      this.saveFirst(patch)
    } catch (error) {
      this.record = { ...this.record, ...patch }
      if (this.#savedInReserve() || this.#isUnwritten) return
      this.#isUnwritten = true
      this.deps.log.error({ err: error, serverId: this.id }, 'the record of a server waits for the disk')
      void this.untilDone(() => {
        if (this.#isUnwritten) this.saveFirst({})
      })
    }
  }

  #savedInReserve(): boolean {
    try {
      writeRecordInReserve(this.deps.disk, this.layout, this.record)
    } catch {
      return false
    }
    this.#isUnwritten = false
    return true
  }

  /** For work that must not begin unrecorded: throws the disk's error without changing anything. */
  saveFirst(patch: Partial<ServerRecord>): void {
    const changed = { ...this.record, ...patch }
    writeRecord(this.deps.disk, this.layout, changed)
    this.record = changed
    this.#isUnwritten = false
  }

  /** Changes the state, by `save`, then notifies the control plane and the sockets. */
  move(state: ServerState, patch: Partial<ServerRecord> = {}): void {
    this.#move(state, patch, (whole) => this.save(whole))
  }

  /** As `move`, by `saveFirst`. */
  moveFirst(state: ServerState, patch: Partial<ServerRecord>): void {
    this.#move(state, patch, (whole) => this.saveFirst(whole))
  }

  #move(state: ServerState, patch: Partial<ServerRecord>, save: (whole: Partial<ServerRecord>) => void): void {
    const requestId = patch.work?.requestId ?? this.record.work?.requestId ?? null
    save({ ...patch, state, since: this.deps.clock.now() })
    this.deps.emit({ kind: 'server.state', server: this.observed(), requestId })
    for (const listener of this.listeners) listener.status(state)
    this.onMove(state)
  }

  /** Stores the result together with `patch` in one write, then sends it to the control plane. */
  finish(commandId: string | null, result: CommandResult, patch: Partial<ServerRecord> = {}): void {
    const commands = this.record.commands.map((entry) => (entry.id === commandId ? { ...entry, result } : entry))
    this.save({ work: null, ...patch, commands })
    if (commandId !== null) this.answer(commandId, result)
  }

  answer(commandId: string, result: CommandResult): void {
    this.deps.emit({ kind: 'command.finished', commandId, serverId: this.id, ...result })
  }

  tell(note: NoteLine): void {
    for (const listener of this.listeners) listener.message(note)
  }

  /** Adds lines to the console while no program runs. A full disk costs only the note. */
  async note(...notes: NoteLine[]): Promise<void> {
    try {
      await this.deps.driver.note(this.layout, notes)
    } catch (error) {
      this.deps.log.warn({ err: error, serverId: this.id }, 'note not written')
    }
    this.refreshConsole()
  }

  handle(taskId: string, kind: TaskHandle['kind']): TaskHandle {
    return { version: 1, driver: this.deps.driver.name, taskId, serverId: this.id, kind }
  }

  /** Starts a program of the template. The caller has recorded the handle before. */
  async runTask(handle: TaskHandle, program: Program, spec: ServerSpec): Promise<TaskObservation> {
    const place = this.deps.driver.place(handle.kind) ?? this.#hostPlace()
    const context = { spec, ...place }
    const resolved = resolveProgram(program, context)
    if (!resolved.ok) throw new AgentError('PROGRAM_UNKNOWN', `${resolved.code}: ${resolved.detail}`)
    await this.prepareFiles(spec)
    return this.deps.driver.start({
      handle,
      folders: this.layout,
      argv: resolved.argv,
      environment: environmentOf(context, handle.kind, {
        registry: this.deps.node.npmRegistry,
        folder: this.#npmFolder,
      }),
      limits: { ...spec.limits, swapMiB: spec.limits.swapMiB ?? 0, ioWeight: spec.limits.ioWeight ?? null },
      uid: this.uid,
      image: handle.kind === 'install' ? (spec.installImage ?? spec.image) : spec.image,
      ...(spec.images === undefined ? {} : { listedImages: spec.images }),
      ports: spec.allocations.map(({ ip, port }) => ({ ip, port })),
      timeoutMs: program.timeoutMs ?? null,
    })
  }

  /** Before a program runs, and when the size changes while none does. */
  prepareFiles(spec: ServerSpec, wipe = false): Promise<void> {
    return this.deps.prepareFiles(this.placed(spec), wipe)
  }

  placed({ limits }: ServerSpec): PlacedServer {
    const { id, uid, layout } = this
    return { id, uid, layout, limitMiB: limits.storageMiB }
  }

  /** For drivers whose programs share the agent's file system. */
  #hostPlace(): ProgramPlace {
    const { nodePath, npmCommand, caBundle } = this.deps.node
    return {
      rootFolder: this.layout.root,
      nodePath,
      npmCommand,
      searchPath: `${nodePath.slice(0, Math.max(1, nodePath.lastIndexOf('/')))}:/usr/local/bin:/usr/bin:/bin`,
      listenIp: (ip) => ip,
      caBundle,
      program: (name) => {
        const file = this.deps.programFile(name)
        return file === undefined ? undefined : [file]
      },
    }
  }

  /**
   * Makes the driver forget an ended task. The driver's record proves the end until our own record contains it: on a
   * full disk it is forgotten later.
   */
  async forget(handle: TaskHandle): Promise<void> {
    const attempt = async (): Promise<void> => {
      if (this.#isUnwritten) throw new Error('The end of a task is not recorded yet.')
      await this.deps.driver.forget(handle, this.layout)
    }
    await attempt().catch(() => void this.untilDone(attempt))
  }

  /** Reads the task's output so far, and detects the done text in it. */
  catchUp(): void {
    this.#scannedSeq = this.record.taskAfterSeq
    this.#isDone = startupDetector(this.record.spec?.doneTexts ?? [], { stripAnsi: true })
    this.refreshConsole()
  }

  /** Follows the task to its end. The promise resolves when the end has been handled. */
  async follow(handle: TaskHandle): Promise<TaskExit> {
    this.catchUp()
    this.#following = true
    let settle: (exit: TaskExit) => void = () => {}
    const ended = new Promise<TaskExit>((resolve) => {
      settle = resolve
    })
    this.#taskEnd = ended
    this.#unfollow = await this.deps.driver.watch(handle, this.layout, {
      output: () => this.#paceOutput(),
      exited: (exit) => {
        this.refreshConsole()
        this.#following = false
        const handled = handle.kind === 'server' ? this.untilDone(() => this.onServerExit(exit)) : Promise.resolve()
        void handled.finally(() => settle(exit))
      },
    })
    this.refreshConsole()
    return ended
  }

  /** Repeats a necessary step until disk and runtime allow it: a full disk is temporary. */
  async untilDone(action: () => Promise<void> | void): Promise<void> {
    while (!this.#detached) {
      try {
        await action()
        return
      } catch (error) {
        this.deps.log.error({ err: error, serverId: this.id }, 'not done yet')
        await sleep(this.deps.timers, AGAIN_MS)
      }
    }
  }

  /** True when the task has ended, or ends within the time. */
  async endsWithin(waitMs: number): Promise<boolean> {
    const ended = this.#taskEnd
    if (ended === undefined) return true
    let cancel: () => void = () => {}
    const late = new Promise<false>((resolve) => {
      cancel = this.deps.timers.after(waitMs, () => resolve(false))
    })
    const result = await Promise.race([ended.then(() => true), late])
    cancel()
    return result
  }

  /** A driver with its own view of the disk shows only the customer's folder. */
  get #npmFolder(): string | undefined {
    return this.deps.driver.name === 'docker' ? undefined : this.layout.npm
  }

  /** Releases the task without ending it: the agent stops, the server keeps running. */
  detach(): void {
    this.#detached = true
    this.#unfollow()
  }

  /** Reads at once, then at the pace of the viewers. During a start every line is read at once. */
  #paceOutput(): void {
    if (this.#isResting) {
      this.#hasNewOutput = true
      return
    }
    this.refreshConsole()
    if (this.record.state === 'starting') return
    const { viewers } = this.fanout
    const restMs = viewers === 0 ? UNWATCHED_PACE_MS : Math.min(Math.min(viewers, PACE_MS) + this.#lateMs, MAX_PACE_MS)
    const endsAtMs = this.deps.clock.now() + restMs
    this.#isResting = true
    this.deps.timers.after(restMs, () => {
      this.#isResting = false
      // An overloaded node wakes late, and then rests longer: fewer batches are less work.
      this.#lateMs = Math.max(0, this.deps.clock.now() - endsAtMs) * LATE_WEIGHT
      if (!this.#hasNewOutput) return
      this.#hasNewOutput = false
      this.#paceOutput()
    })
  }

  /** Reads the driver's new lines, so that the next read is complete: viewers get them, and a done text ends the start. */
  refreshConsole(): void {
    this.console.refresh()
    this.fanout.changed()
    // Output of the previous task may still arrive: its done text does not belong to this start.
    this.#scannedSeq = Math.max(this.#scannedSeq, this.record.taskAfterSeq)
    while (this.record.state === 'starting' && this.#scannedSeq < this.console.lastSeq) {
      const { dropped, lines } = this.console.after(this.#scannedSeq, SCAN_LINES)
      const last = lines.at(-1)
      this.#scannedSeq = last?.seq ?? this.#scannedSeq + Math.max(1, dropped)
      const done = lines.some((line) => (line.stream === 'o' || line.stream === 'e') && this.#isDone(line.text))
      if (done) this.move('running')
    }
  }
}
