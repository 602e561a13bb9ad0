import type { StopSignal } from '#contracts/agent/stop-method.ts'
import { HistoryReader } from '../../console/history-reader.ts'
import type { NoteLine } from '../../console/notes.ts'
import { AgentError } from '../../platform/agent-error.ts'
import type { Disk } from '../../platform/disk.ts'
import type { FaultPoint } from '../../platform/fault-point.ts'
import { isAlive } from '../../platform/process-identity.ts'
import { readText } from '../../platform/read-text.ts'
import type {
  ProgramPlace,
  RuntimeCapabilities,
  RuntimeDriver,
  ServerFolders,
  TaskObservation,
  TaskSample,
  TaskSpec,
  TaskWatcher,
} from '../driver/runtime-driver.ts'
import { listeningPorts, type ListeningPorts } from '../driver/listening-ports.ts'
import type { TaskExit, TaskHandle } from '../driver/task-handle.ts'
import { ConsoleWriters } from './console-writers.ts'
import { containerPlace } from './container-place.ts'
import { Containers, type ContainerState, type Inspection } from './containers.ts'
import { valueOf } from './engine-answer.ts'
import type { DockerEngine } from './engine.ts'
import { watchEngine } from './engine-watch.ts'
import { exitOf } from './exit-code.ts'
import { awaitHandover, INIT_FAILURE, INIT_FAILURE_CODES, initProcessOf } from './init-process.ts'
import type { Owner } from './labels.ts'
import { NetworkRepair } from './network-repair.ts'
import { Removals } from './removals.ts'
import { StandardInput } from './standard-input.ts'
import { TaskFollower, type FollowerDeps } from './task-follower.ts'
import { TaskLauncher, type LauncherDeps } from './task-launcher.ts'
import { taskFolder, type DockerStart, TaskRecords, type DockerTask } from './task-record.ts'
import { TaskUsage } from './task-usage.ts'

/** Lines about the image's download are not part of the template's own output. */
const INSTALLER_OUTPUT = 'x'

export interface DockerDriverDeps
  extends Pick<FollowerDeps, 'clock' | 'timers' | 'log' | 'engine'>, Omit<LauncherDeps, 'containers'> {
  readonly disk: Disk
  readonly faults: FaultPoint
  readonly owner: () => Owner
  /** The source of one of the agent's own programs. */
  readonly programText: (name: string) => string | undefined
  readonly warnings: readonly string[]
  /** Called when the driver is closed. */
  readonly closed?: () => void
}

/** How long the engine may take to report the end of a process that the kernel no longer has. */
const GONE_WITHIN_MS = 10_000
/** The same for a process that this node does not see: it has gone, or runs where only the engine sees it. */
const UNSEEN_WITHIN_MS = 200

type Recovered = { readonly is: 'running'; readonly start: DockerStart } | Exclude<TaskObservation, { is: 'running' }>

const LEFT = { ok: false, code: 'UNREACHABLE', message: 'some are left' } as const
const UNSETTLED = { ok: false, code: 'UNREACHABLE', message: 'its last lines are not copied yet' } as const
const NEVER = { is: 'never-started' } as const

/**
 * Runs each program in a separate container. The container is named after the task, so one id has at most one; a record
 * on disk decides whether it may still begin, before the engine is called.
 */
export class DockerDriver implements RuntimeDriver {
  readonly name = 'docker'
  readonly #deps: DockerDriverDeps
  readonly #engine: DockerEngine
  readonly #containers: Containers
  readonly #launcher: TaskLauncher
  readonly #removals: Removals
  readonly #records: TaskRecords
  readonly #writers = new ConsoleWriters()
  readonly #followers = new Map<string, TaskFollower>()
  readonly #inputs = new Map<string, StandardInput>()
  readonly #usage: TaskUsage
  readonly #starting = new Map<string, Promise<TaskObservation>>()
  readonly #life = new AbortController()

  constructor(deps: DockerDriverDeps) {
    this.#deps = deps
    this.#engine = deps.engine
    this.#containers = new Containers(deps.engine, deps.owner, deps.faults)
    this.#launcher = new TaskLauncher({ ...deps, containers: this.#containers })
    this.#removals = new Removals({ ...deps, remove: (id) => this.#containers.remove(id) })
    this.#records = new TaskRecords(deps.disk)
    this.#usage = new TaskUsage(deps.engine)
    const repair = new NetworkRepair({ ...deps, writers: this.#writers })
    watchEngine({ ...deps, repair, followers: this.#followers }, this.#life.signal)
  }

  capabilities(): RuntimeCapabilities {
    const { warnings } = this.#deps
    return { ownUser: true, memoryLimit: true, cpuLimit: true, networkStats: true, warnings }
  }

  place(kind: TaskHandle['kind']): ProgramPlace {
    return containerPlace(kind, this.#deps)
  }

  start(spec: TaskSpec): Promise<TaskObservation> {
    const { taskId } = spec.handle
    const running = this.#starting.get(taskId)
    if (running !== undefined) return running
    const mine = this.#startOnce(spec).finally(() => this.#starting.delete(taskId))
    this.#starting.set(taskId, mine)
    return mine
  }

  async recover(handle: TaskHandle, folders: ServerFolders): Promise<TaskObservation> {
    const starting = this.#starting.get(handle.taskId)
    return starting ?? this.#takeIn(handle, folders)
  }

  async watch(handle: TaskHandle, folders: ServerFolders, watcher: TaskWatcher): Promise<() => void> {
    const recovered = await this.#recover(handle, folders)
    if (recovered.is === 'running') return this.#follow(handle, folders, recovered.start).watch(watcher)
    const lost: TaskExit = { code: null, signal: null, atMs: this.#deps.clock.now() }
    watcher.exited(recovered.is === 'exited' ? recovered.exit : lost)
    return () => {}
  }

  async writeLine(handle: TaskHandle, folders: ServerFolders, line: string): Promise<boolean> {
    const start = this.#startOf(handle, folders)
    if (start === undefined || this.#records.exit(taskFolder(folders.state, handle.taskId)) !== undefined) return false
    const input =
      this.#inputs.get(handle.taskId) ?? new StandardInput(this.#engine, start.containerId, this.#deps.faults)
    this.#inputs.set(handle.taskId, input)
    return input.writeLine(line)
  }

  async signal(handle: TaskHandle, folders: ServerFolders, signal: StopSignal): Promise<void> {
    const start = this.#startOf(handle, folders)
    if (start === undefined) return
    if (signal === 'SIGKILL') this.#followers.get(handle.taskId)?.noteKill()
    const answer = await this.#containers.signal(start.containerId, signal)
    // A hanging engine must not make its programs unstoppable. The first process forwards signals.
    if (!answer.ok && start.pid > 1 && isAlive(start)) process.kill(start.pid, signal)
    void this.#followers.get(handle.taskId)?.look()
  }

  async sample(handle: TaskHandle, folders: ServerFolders): Promise<TaskSample | undefined> {
    const start = this.#startOf(handle, folders)
    if (start === undefined || this.#records.exit(taskFolder(folders.state, handle.taskId)) !== undefined) {
      return undefined
    }
    const usage = await this.#usage.of(handle.taskId, start)
    return usage === undefined ? undefined : { ...usage, uptimeMs: this.#deps.clock.now() - start.startedAtMs }
  }

  /** The program's own network has the ports under their own numbers, and the engine publishes each as it is. */
  async listening(handle: TaskHandle, folders: ServerFolders): Promise<ListeningPorts | undefined> {
    const start = this.#startOf(handle, folders)
    return start !== undefined && start.pid > 0 && isAlive(start) ? listeningPorts(start.pid, readText) : undefined
  }

  openConsole(folders: ServerFolders): HistoryReader {
    return new HistoryReader(folders.console)
  }

  note(folders: ServerFolders, notes: readonly NoteLine[]): Promise<void> {
    this.#writers.note(
      folders.console,
      notes.map((note) => ({ timeMs: this.#deps.clock.now(), stream: 'x', ...note })),
    )
    return Promise.resolve()
  }

  async tasksOf(serverId: string, folders: ServerFolders): Promise<TaskHandle[]> {
    const recorded = this.#records.list(folders.state).flatMap((taskId): TaskHandle[] => {
      const task = this.#records.task(taskFolder(folders.state, taskId))
      return task === undefined ? [] : [{ version: 1, driver: this.name, taskId, serverId, kind: task.kind }]
    })
    const known = new Set(recorded.map((handle) => handle.taskId))
    // A container whose record was lost with the state folder must not run beside a new one.
    const found = await this.#containers.ofServer(serverId)
    const unrecorded = found.ok ? found.value.filter(({ handle }) => !known.has(handle.taskId)) : []
    return [...recorded, ...unrecorded.map(({ handle }) => handle)]
  }

  async forget(handle: TaskHandle, folders: ServerFolders): Promise<void> {
    const follower = this.#followers.get(handle.taskId)
    if (follower?.exit !== undefined && !(await follower.settle())) valueOf(UNSETTLED, 'let go of a container')
    this.#letGo(handle.taskId)
    const told = await this.#containers.inspect(handle)
    // Without the engine's response the record stays, so that the container is found and removed later.
    if (!told.ok) return
    const forgotten = (): void => this.#records.remove(taskFolder(folders.state, handle.taskId))
    if (told.value.is === 'absent') forgotten()
    else await this.#removals.remove(handle.serverId, told.value.container.id, forgotten)
    if (handle.kind === 'install') await this.#releaseNetwork(handle.serverId)
  }

  async removeServer(serverId: string): Promise<void> {
    const list = () => this.#launcher.insist('list containers', () => this.#containers.ofServer(serverId))
    await this.#removals.settled(serverId)
    for (const { id, handle } of await list()) {
      this.#letGo(handle.taskId)
      await this.#removals.remove(serverId, id, () => {})
    }
    await this.#removals.settled(serverId)
    if ((await list()).length > 0) valueOf(LEFT, 'remove the containers of a server')
    await this.#deps.networks.remove(serverId)
  }

  close(): void {
    this.#life.abort()
    this.#removals.close()
    this.#deps.closed?.()
    for (const taskId of [...this.#followers.keys(), ...this.#inputs.keys()]) this.#letGo(taskId)
  }

  async #startOnce(spec: TaskSpec): Promise<TaskObservation> {
    const { handle, folders } = spec
    const folder = taskFolder(folders.state, handle.taskId)
    await this.#settleEnded(handle.serverId)
    const task: DockerTask = {
      version: 1,
      kind: handle.kind,
      fate: 'begin',
      afterSeq: this.#writers.of(folders.console).writer.lastSeq,
      timeoutMs: spec.timeoutMs,
    }
    if (!this.#records.claim(folder, task)) return this.#takeIn(handle, folders)
    try {
      await this.#deps.faults('docker.claimed')
      await this.#removals.settled(handle.serverId)
      const id = await this.#launcher.create(spec, (text) => this.#progress(folders, text))
      return await this.#begin(spec, id)
    } catch (error) {
      // The task has not begun and never will.
      this.#records.neverBegins(folder, task)
      this.#letGo(handle.taskId)
      await this.#launcher.discard(handle)
      throw error
    }
  }

  /** Copies the previous task's lines that are still waiting for the disk. The new task does not start before them. */
  async #settleEnded(serverId: string): Promise<void> {
    for (const follower of [...this.#followers.values()]) {
      if (follower.task.handle.serverId !== serverId || follower.exit === undefined) continue
      if (!(await follower.settle())) valueOf(UNSETTLED, 'begin a task')
    }
  }

  async #begin(spec: TaskSpec, id: string): Promise<TaskObservation> {
    const { handle, folders } = spec
    const start = this.#recordStart(handle, folders, await this.#launcher.start(handle, id))
    await this.#deps.faults('docker.recorded')
    const exit = await this.#awaitHandover(this.#follow(handle, folders, start), start)
    if (exit === undefined) return { is: 'running', startedAtMs: start.startedAtMs }
    const failure = new HistoryReader(folders.console)
      .after(this.#records.task(taskFolder(folders.state, handle.taskId))?.afterSeq ?? 0, 100)
      .lines.map((line) => INIT_FAILURE.exec(line.text))
      .find((match) => match !== null)
    if (exit.code === null || !INIT_FAILURE_CODES.includes(exit.code) || !failure) return { is: 'exited', exit }
    throw new AgentError('PROGRAM_NOT_STARTED', `The program ${failure[1]} could not be started: ${failure[2]}`)
  }

  /** The init process starts before the program does. Resolves with the end if that comes first. */
  async #awaitHandover(follower: TaskFollower, start: DockerStart): Promise<TaskExit | undefined> {
    await awaitHandover(start, this.#deps)
    if (isAlive(start)) return undefined
    return follower.awaitEnd(start.pid > 0 ? GONE_WITHIN_MS : UNSEEN_WITHIN_MS)
  }

  #recordStart(handle: TaskHandle, folders: ServerFolders, container: ContainerState): DockerStart {
    const start: DockerStart = {
      version: 1,
      containerId: container.id,
      ...initProcessOf(container.pid, container.id),
      startedAtMs: container.startedAtMs,
      logPath: container.logPath,
    }
    this.#records.writeStart(taskFolder(folders.state, handle.taskId), start)
    return start
  }

  async #takeIn(handle: TaskHandle, folders: ServerFolders): Promise<TaskObservation> {
    const recovered = await this.#recover(handle, folders)
    if (recovered.is !== 'running') return recovered
    this.#follow(handle, folders, recovered.start)
    return { is: 'running', startedAtMs: recovered.start.startedAtMs }
  }

  async #recover(handle: TaskHandle, folders: ServerFolders): Promise<Recovered> {
    const folder = taskFolder(folders.state, handle.taskId)
    const exit = this.#records.exit(folder)
    if (exit !== undefined) return { is: 'exited', exit }
    const task = this.#records.task(folder)
    if (task?.fate === 'never') return NEVER
    const start = this.#records.start(folder)
    if (start !== undefined) {
      // It has begun for certain, even if the engine does not respond now.
      const told = await this.#containers.inspect(handle)
      return told.ok ? this.#settle(handle, folders, told.value) : { is: 'running', start }
    }
    return this.#settle(
      handle,
      folders,
      await this.#launcher.insist('tell of a container', () => this.#containers.inspect(handle)),
    )
  }

  async #settle(handle: TaskHandle, folders: ServerFolders, told: Inspection): Promise<Recovered> {
    const folder = taskFolder(folders.state, handle.taskId)
    const begun = this.#records.start(folder)
    const fields = { version: 1 as const, kind: handle.kind, timeoutMs: null }
    if (told.is === 'found' && told.container.is !== 'created') {
      // A container without a record: the state folder was lost. It is adopted at the console's current position.
      this.#records.claim(folder, { ...fields, fate: 'begin', afterSeq: 0 })
      const start = begun ?? this.#recordStart(handle, folders, told.container)
      if (told.container.is === 'running') return { is: 'running', start }
      return this.#finish(handle, folders, { start, exit: exitOf(told.container.end, this.#deps.clock.now()) })
    }
    if (begun !== undefined) {
      const exit: TaskExit = { code: null, signal: null, atMs: this.#deps.clock.now() }
      return this.#finish(handle, folders, { start: begun, exit })
    }
    if (told.is === 'found') valueOf(await this.#containers.remove(told.container.id), 'remove a container')
    const task: DockerTask = { ...fields, fate: 'never', afterSeq: 0 }
    this.#records.neverBegins(folder, task)
    return NEVER
  }

  /** An unobserved end: the last lines are copied before it is reported. */
  async #finish(
    handle: TaskHandle,
    folders: ServerFolders,
    end: { readonly start: DockerStart; readonly exit: TaskExit },
  ): Promise<Recovered> {
    const follower = this.#follow(handle, folders, end.start)
    const exit = await follower.finish(end.exit)
    return { is: 'exited', exit }
  }

  #follow(handle: TaskHandle, folders: ServerFolders, start: DockerStart): TaskFollower {
    const known = this.#followers.get(handle.taskId)
    if (known !== undefined) return known
    const task = this.#records.task(taskFolder(folders.state, handle.taskId))
    const follower = new TaskFollower(
      {
        handle,
        folders,
        start,
        task: task ?? { version: 1, kind: handle.kind, fate: 'begin', afterSeq: 0, timeoutMs: null },
      },
      { ...this.#deps, containers: this.#containers, records: this.#records, writers: this.#writers },
      () => this.#letGo(handle.taskId),
    )
    this.#followers.set(handle.taskId, follower)
    return follower
  }

  #letGo(taskId: string): void {
    this.#followers.get(taskId)?.close()
    this.#followers.delete(taskId)
    this.#inputs.get(taskId)?.close()
    this.#inputs.delete(taskId)
    this.#usage.forget(taskId)
  }

  /** A network that cannot be removed now is removed with its server, or used by its next installation. */
  async #releaseNetwork(serverId: string): Promise<void> {
    try {
      await this.#deps.networks.release(serverId)
    } catch (error) {
      this.#deps.log.warn({ err: error, serverId }, "an installation's network was not removed")
    }
  }

  #startOf(handle: TaskHandle, folders: ServerFolders): DockerStart | undefined {
    return this.#records.start(taskFolder(folders.state, handle.taskId))
  }

  #progress(folders: ServerFolders, text: string): void {
    try {
      this.#writers.note(folders.console, [{ timeMs: this.#deps.clock.now(), stream: INSTALLER_OUTPUT, text }])
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'progress not written')
    }
  }
}
