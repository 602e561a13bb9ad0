import type { StopSignal } from '#contracts/agent/stop-method.ts'
import type { ConsoleLine, ConsoleStream } from '../../console/console-line.ts'
import type { NoteLine } from '../../console/notes.ts'
import type { OlderPage } from '../../console/history-reader.ts'
import type { PageLimit } from '../../console/segment-search.ts'
import { AgentError } from '../../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import type {
  RefreshableConsole,
  RuntimeCapabilities,
  RuntimeDriver,
  ServerFolders,
  TaskObservation,
  TaskSample,
  TaskSpec,
  TaskWatcher,
} from '../driver/runtime-driver.ts'
import type { ListeningPorts } from '../driver/listening-ports.ts'
import type { TaskExit, TaskHandle } from '../driver/task-handle.ts'

/** The interface of a scripted program. It acts only when called, so that tests decide what happens when. */
export interface FakeProcess {
  print(text: string, stream?: ConsoleStream): void
  exit(code: number | null, signal?: string | null, oomKilled?: boolean): void
  readonly environment: Readonly<Record<string, string>>
}

export interface FakeProgram {
  started(process: FakeProcess): void
  line?(process: FakeProcess, line: string): void
  /** True when the program handles the signal itself; never called for SIGKILL. */
  signal?(process: FakeProcess, signal: StopSignal): boolean
}

interface FakeTask {
  readonly spec: TaskSpec
  readonly startedAtMs: number
  readonly watchers: Set<TaskWatcher>
  exit: TaskExit | undefined
}

/**
 * The machine of fake tasks. It outlives a driver as a node outlives an agent, so a test "restarts the agent" by
 * creating a new driver on the same world.
 */
export class FakeWorld {
  readonly programs = new Map<string, FakeProgram>()
  readonly tasks = new Map<string, FakeTask | 'ruled-out'>()
  readonly histories = new Map<string, ConsoleLine[]>()
  /** The ports at which the programs listen. */
  readonly listening = { tcp: new Set<number>(), udp: new Set<number>() }
  /** Task ids in the order in which they really began. */
  readonly begun: string[] = []

  history(folder: string): ConsoleLine[] {
    const lines = this.histories.get(folder) ?? []
    this.histories.set(folder, lines)
    return lines
  }

  /** A power failure: every program has ended, without a notification. */
  loseEverything(atMs: number): void {
    for (const task of this.tasks.values()) {
      if (task === 'ruled-out' || task.exit !== undefined) continue
      task.exit = { code: null, signal: null, atMs }
      task.watchers.clear()
    }
  }
}

class FakeConsole implements RefreshableConsole {
  readonly #lines: ConsoleLine[]
  readonly firstSeq = 1

  constructor(lines: ConsoleLine[]) {
    this.#lines = lines
  }

  get lastSeq(): number {
    return this.#lines.length
  }

  refresh(): boolean {
    return true
  }

  after(seq: number, max: number): { dropped: number; lines: readonly ConsoleLine[] } {
    return { dropped: 0, lines: this.#lines.slice(seq, seq + max) }
  }

  before(seq: number, limit: PageLimit): OlderPage {
    const lines = this.#lines.slice(0, seq - 1).slice(-limit.maxLines)
    return { lines, isStart: (lines[0]?.seq ?? 1) === 1, lost: 0 }
  }
}

/** Runs scripted programs, named by the first part of argv. It starts nothing real. */
export class FakeDriver implements RuntimeDriver {
  readonly name = 'fake'
  readonly #world: FakeWorld
  readonly #clock: Clock

  constructor(world: FakeWorld, clock: Clock) {
    this.#world = world
    this.#clock = clock
  }

  capabilities(): RuntimeCapabilities {
    return { ownUser: false, memoryLimit: false, cpuLimit: false, networkStats: false, warnings: [] }
  }

  place(): undefined {
    return undefined
  }

  async start(spec: TaskSpec): Promise<TaskObservation> {
    const { taskId } = spec.handle
    if (this.#world.tasks.has(taskId)) return this.recover(spec.handle)
    const program = this.#world.programs.get(spec.argv[0] ?? '')
    if (program === undefined) {
      this.#world.tasks.set(taskId, 'ruled-out')
      throw new AgentError('PROGRAM_NOT_STARTED', 'The program could not be started: ENOENT')
    }
    const task: FakeTask = { spec, startedAtMs: this.#clock.now(), watchers: new Set(), exit: undefined }
    this.#world.tasks.set(taskId, task)
    this.#world.begun.push(taskId)
    program.started(this.#processOf(task))
    return this.recover(spec.handle)
  }

  recover(handle: TaskHandle): Promise<TaskObservation> {
    const task = this.#world.tasks.get(handle.taskId)
    if (task === undefined) this.#world.tasks.set(handle.taskId, 'ruled-out')
    if (task === undefined || task === 'ruled-out') return Promise.resolve({ is: 'never-started' })
    if (task.exit !== undefined) return Promise.resolve({ is: 'exited', exit: task.exit })
    return Promise.resolve({ is: 'running', startedAtMs: task.startedAtMs })
  }

  watch(handle: TaskHandle, _folders: ServerFolders, watcher: TaskWatcher): Promise<() => void> {
    const task = this.#running(handle)
    if (task === undefined) {
      const known = this.#world.tasks.get(handle.taskId)
      const exit = known !== undefined && known !== 'ruled-out' ? known.exit : undefined
      watcher.exited(exit ?? { code: null, signal: null, atMs: this.#clock.now() })
      return Promise.resolve(() => {})
    }
    task.watchers.add(watcher)
    watcher.output()
    return Promise.resolve(() => {
      task.watchers.delete(watcher)
    })
  }

  writeLine(handle: TaskHandle, _folders: ServerFolders, line: string): Promise<boolean> {
    const task = this.#running(handle)
    if (task === undefined) return Promise.resolve(false)
    this.#programOf(task)?.line?.(this.#processOf(task), line)
    return Promise.resolve(true)
  }

  signal(handle: TaskHandle, _folders: ServerFolders, signal: StopSignal): Promise<void> {
    const task = this.#running(handle)
    if (task === undefined) return Promise.resolve()
    const handled = signal !== 'SIGKILL' && this.#programOf(task)?.signal?.(this.#processOf(task), signal) === true
    if (!handled) this.#end(task, { code: null, signal, atMs: this.#clock.now() })
    return Promise.resolve()
  }

  sample(handle: TaskHandle): Promise<TaskSample | undefined> {
    const task = this.#running(handle)
    if (task === undefined) return Promise.resolve(undefined)
    const uptimeMs = this.#clock.now() - task.startedAtMs
    return Promise.resolve({ cpuMs: uptimeMs / 2, memoryBytes: 64 << 20, processes: 1, uptimeMs, network: null })
  }

  listening(handle: TaskHandle): Promise<ListeningPorts | undefined> {
    return Promise.resolve(this.#running(handle) === undefined ? undefined : this.#world.listening)
  }

  openConsole(folders: ServerFolders): RefreshableConsole {
    return new FakeConsole(this.#world.history(folders.console))
  }

  note(folders: ServerFolders, notes: readonly NoteLine[]): Promise<void> {
    const lines = this.#world.history(folders.console)
    for (const note of notes) lines.push({ seq: lines.length + 1, timeMs: this.#clock.now(), stream: 'x', ...note })
    return Promise.resolve()
  }

  tasksOf(serverId: string): Promise<TaskHandle[]> {
    const tasks = [...this.#world.tasks.values()].filter((task) => task !== 'ruled-out')
    return Promise.resolve(tasks.map((task) => task.spec.handle).filter((handle) => handle.serverId === serverId))
  }

  forget(handle: TaskHandle): Promise<void> {
    this.#world.tasks.delete(handle.taskId)
    return Promise.resolve()
  }

  removeServer(): Promise<void> {
    return Promise.resolve()
  }

  close(): void {}

  #running(handle: TaskHandle): FakeTask | undefined {
    const task = this.#world.tasks.get(handle.taskId)
    return task === undefined || task === 'ruled-out' || task.exit !== undefined ? undefined : task
  }

  #programOf(task: FakeTask): FakeProgram | undefined {
    return this.#world.programs.get(task.spec.argv[0] ?? '')
  }

  #processOf(task: FakeTask): FakeProcess {
    const lines = this.#world.history(task.spec.folders.console)
    const standard: ConsoleStream = task.spec.handle.kind === 'install' ? 'i' : 'o'
    return {
      environment: task.spec.environment,
      print: (text, stream = standard) => {
        lines.push({ seq: lines.length + 1, timeMs: this.#clock.now(), stream, text })
        for (const watcher of task.watchers) watcher.output()
      },
      exit: (code, signal = null, oomKilled = false) =>
        this.#end(task, { code, signal, oomKilled, atMs: this.#clock.now() }),
    }
  }

  #end(task: FakeTask, exit: TaskExit): void {
    if (task.exit !== undefined) return
    task.exit = exit
    for (const watcher of task.watchers) watcher.exited(exit)
    task.watchers.clear()
  }
}
