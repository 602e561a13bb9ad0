import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { StopSignal } from '#contracts/agent/stop-method.ts'
import { HistoryReader } from '../../console/history-reader.ts'
import { HistoryWriter } from '../../console/history.ts'
import type { NoteLine } from '../../console/notes.ts'
import { AgentError } from '../../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import { sleep, type Timers } from '../../platform/timers.ts'
import type { ProcessTable } from './process-table.ts'
import type {
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
import { isAlive } from '../../platform/process-identity.ts'
import { readText } from '../../platform/read-text.ts'
import { endLeftovers } from './leftovers.ts'
import { connectToShim, onMessages, send, type FromShim, type ToShim } from './shim-socket.ts'
import {
  readClaim,
  readExit,
  readSpec,
  readState,
  stateFolderOf,
  taskFolder,
  tryClaim,
  writeExit,
  writeSpec,
} from './task-files.ts'

const POLL_MS = 15
const BEGIN_WITHIN_MS = 15_000

/** Checked before anything is recorded: setpriv would only return an exit code that many programs use too. */
const isExecutable = (command: string, searchPath: string): boolean => {
  const files = command.includes('/') ? [command] : searchPath.split(':').map((folder) => path.join(folder, command))
  return files.some((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK)
      return fs.statSync(file).isFile()
    } catch {
      return false
    }
  })
}

export interface ProcessDriverDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly processes: ProcessTable
  /** The command of the shim: program and arguments before the task's folder. */
  readonly shimCommand: readonly string[]
  /** Null: all servers share the agent's user. */
  readonly ownUser: boolean
  readonly warnings: readonly string[]
}

const toolNamed = (name: string): string | undefined =>
  [`/usr/bin/${name}`, `/bin/${name}`].find((file) => fs.existsSync(file))

/**
 * Runs each program under a separate shim. For one tenant: it separates users and environments, but neither the network
 * nor memory and CPU. With `setpriv` the program cannot regain privileges, and with `prlimit` a separate user is
 * limited to the server's number of processes and threads.
 */
export class ProcessDriver implements RuntimeDriver {
  readonly name = 'process'
  readonly #deps: ProcessDriverDeps
  readonly #writes = new Map<string, Promise<unknown>>()
  readonly #setpriv = toolNamed('setpriv')
  readonly #prlimit = toolNamed('prlimit')

  constructor(deps: ProcessDriverDeps) {
    this.#deps = deps
  }

  capabilities(): RuntimeCapabilities {
    const { ownUser, warnings } = this.#deps
    return { ownUser, memoryLimit: false, cpuLimit: false, networkStats: false, warnings }
  }

  place(): undefined {
    return undefined
  }

  async start(spec: TaskSpec): Promise<TaskObservation> {
    const folder = taskFolder(spec.folders.state, spec.handle.taskId)
    if (readSpec(folder) !== undefined || readClaim(folder) !== undefined)
      return this.recover(spec.handle, spec.folders)
    if (!isExecutable(spec.argv[0] ?? '', spec.environment['PATH'] ?? '')) {
      throw new AgentError('PROGRAM_NOT_STARTED', `There is no program ${spec.argv[0] ?? ''} on this machine.`)
    }
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeSpec(folder, {
      version: 1,
      taskId: spec.handle.taskId,
      kind: spec.handle.kind,
      argv: this.#argv(spec),
      environment: spec.environment,
      workingFolder: spec.folders.root,
      consoleFolder: spec.folders.console,
      uid: this.#deps.ownUser ? spec.uid : null,
      timeoutMs: spec.timeoutMs,
    })
    const [command = process.execPath, ...args] = this.#deps.shimCommand
    const shim = spawn(command, [...args, folder], {
      cwd: '/',
      detached: true,
      stdio: 'ignore',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', NODE_ENV: 'production' },
    })
    let shimEnded = false
    shim.once('error', () => {
      shimEnded = true
    })
    shim.once('exit', () => {
      shimEnded = true
    })
    shim.unref()
    return this.#awaitBeginning(folder, () => shimEnded)
  }

  async recover(handle: TaskHandle, folders: ServerFolders): Promise<TaskObservation> {
    const folder = taskFolder(folders.state, handle.taskId)
    // Checked first: a full disk has no space for a claim that would come too late anyway.
    if (readClaim(folder) === undefined) {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      tryClaim(folder, { by: 'driver' })
    }
    return this.#observe(folder)
  }

  async watch(handle: TaskHandle, folders: ServerFolders, watcher: TaskWatcher): Promise<() => void> {
    const folder = taskFolder(folders.state, handle.taskId)
    let following = true
    let close = (): void => {}
    const follow = async (): Promise<void> => {
      while (following) {
        const closed = await this.#followOnce(folder, watcher, (stop) => {
          close = stop
        })
        if (!following) return
        const observed = await this.#observe(folder)
        if (observed.is !== 'running') {
          following = false
          const exit: TaskExit =
            observed.is === 'exited' ? observed.exit : { code: null, signal: null, atMs: this.#deps.clock.now() }
          watcher.exited(exit)
          return
        }
        if (!closed) await sleep(this.#deps.timers, POLL_MS)
      }
    }
    void follow()
    return () => {
      following = false
      close()
    }
  }

  async writeLine(handle: TaskHandle, folders: ServerFolders, line: string): Promise<boolean> {
    const before = this.#writes.get(handle.taskId) ?? Promise.resolve()
    // One after the other, so that lines reach the program in order.
    const mine = before.then(() => this.#ask(taskFolder(folders.state, handle.taskId), { line }))
    this.#writes.set(handle.taskId, mine)
    return mine.finally(() => {
      if (this.#writes.get(handle.taskId) === mine) this.#writes.delete(handle.taskId)
    })
  }

  async signal(handle: TaskHandle, folders: ServerFolders, signal: StopSignal): Promise<void> {
    const folder = taskFolder(folders.state, handle.taskId)
    if (await this.#ask(folder, { signal })) return
    // An unresponsive shim must not make its program unstoppable.
    const state = readState(folder)
    if (readExit(folder) !== undefined || state === undefined || !isAlive(state.child)) return
    process.kill(-state.child.pid, signal)
  }

  sample(handle: TaskHandle, folders: ServerFolders): Promise<TaskSample | undefined> {
    const state = readState(taskFolder(folders.state, handle.taskId))
    if (state === undefined || !isAlive(state.child)) return Promise.resolve(undefined)
    const usage = this.#deps.processes.session(state.child.pid)
    if (usage === undefined) return Promise.resolve(undefined)
    return Promise.resolve({ ...usage, uptimeMs: this.#deps.clock.now() - state.startedAtMs, network: null })
  }

  async listening(handle: TaskHandle, folders: ServerFolders): Promise<ListeningPorts | undefined> {
    const state = readState(taskFolder(folders.state, handle.taskId))
    return state !== undefined && isAlive(state.child) ? listeningPorts(state.child.pid, readText) : undefined
  }

  openConsole(folders: ServerFolders): HistoryReader {
    return new HistoryReader(folders.console)
  }

  note(folders: ServerFolders, notes: readonly NoteLine[]): Promise<void> {
    const history = new HistoryWriter(folders.console)
    const timeMs = this.#deps.clock.now()
    try {
      history.append(notes.map((note) => ({ timeMs, stream: 'x', ...note })))
    } finally {
      history.close()
    }
    return Promise.resolve()
  }

  tasksOf(serverId: string, folders: ServerFolders): Promise<TaskHandle[]> {
    const parent = taskFolder(folders.state, '.')
    const names = fs.existsSync(parent) ? fs.readdirSync(parent) : []
    const handles = names.flatMap((taskId): TaskHandle[] => {
      const spec = readSpec(taskFolder(folders.state, taskId))
      return spec === undefined ? [] : [{ version: 1, driver: this.name, taskId, serverId, kind: spec.kind }]
    })
    return Promise.resolve(handles)
  }

  forget(handle: TaskHandle, folders: ServerFolders): Promise<void> {
    fs.rmSync(taskFolder(folders.state, handle.taskId), { recursive: true, force: true })
    return Promise.resolve()
  }

  removeServer(): Promise<void> {
    return Promise.resolve()
  }

  close(): void {}

  #argv(spec: TaskSpec): readonly string[] {
    const privileges = this.#setpriv === undefined ? [] : [this.#setpriv, '--no-new-privs', '--']
    // The system counts per user: a shared one would be counted with all of its other processes.
    const isCounted = this.#deps.ownUser && this.#prlimit !== undefined
    const processes = isCounted ? [this.#prlimit ?? '', `--nproc=${spec.limits.pids}`, '--'] : []
    return [...processes, ...privileges, ...spec.argv]
  }

  async #awaitBeginning(folder: string, shimEnded: () => boolean): Promise<TaskObservation> {
    const deadline = this.#deps.clock.now() + BEGIN_WITHIN_MS
    for (;;) {
      const exit = readExit(folder)
      if (exit?.startError) {
        throw new AgentError('PROGRAM_NOT_STARTED', `The program could not be started: ${exit.startError}`)
      }
      if (exit !== undefined || readState(folder) !== undefined) return this.#observe(folder)
      if (shimEnded() || this.#deps.clock.now() > deadline) {
        tryClaim(folder, { by: 'driver' })
        const observed = await this.#observe(folder)
        if (observed.is === 'never-started') {
          throw new AgentError('PROGRAM_NOT_STARTED', 'The shim of the program did not begin.', { retryable: true })
        }
        return observed
      }
      await sleep(this.#deps.timers, POLL_MS)
    }
  }

  async #observe(folder: string): Promise<TaskObservation> {
    const deadline = this.#deps.clock.now() + BEGIN_WITHIN_MS
    for (;;) {
      const claim = readClaim(folder)
      const state = readState(folder)
      const exit = readExit(folder)
      if (exit !== undefined) return { is: 'exited', exit: { code: exit.code, signal: exit.signal, atMs: exit.atMs } }
      if (claim === undefined || claim.by === 'driver') return { is: 'never-started' }
      if (!isAlive(claim.shim)) return this.#buryLost(folder, claim.shim.startTicks)
      if (state !== undefined) return { is: 'running', startedAtMs: state.startedAtMs }
      if (this.#deps.clock.now() > deadline) return this.#buryLost(folder, claim.shim.startTicks)
      await sleep(this.#deps.timers, POLL_MS)
    }
  }

  /**
   * The shim was killed. Its program has lost its pipes and would run unsupervised, so it is ended and the end
   * recorded.
   */
  async #buryLost(folder: string, startTicks: string): Promise<TaskObservation> {
    const late = readExit(folder)
    if (late !== undefined) return { is: 'exited', exit: { code: late.code, signal: late.signal, atMs: late.atMs } }
    await endLeftovers({
      taskId: path.basename(folder),
      uid: readSpec(folder)?.uid ?? null,
      startTicks,
      stateFolder: stateFolderOf(folder),
    })
    const exit = { code: null, signal: null, atMs: this.#deps.clock.now() }
    try {
      writeExit(folder, { version: 1, ...exit, startError: null })
    } catch {
      // The next caller finds the same end.
    }
    return { is: 'exited', exit }
  }

  /** One connection, until it ends; resolves with false if there was none. */
  async #followOnce(folder: string, watcher: TaskWatcher, onOpen: (stop: () => void) => void): Promise<boolean> {
    let socket
    try {
      socket = await connectToShim(folder)
    } catch {
      return false
    }
    const open = socket
    onOpen(() => open.destroy())
    onMessages<FromShim>(open, (message) => {
      if ('lines' in message) watcher.output()
    })
    send(open, { watch: true })
    await new Promise<void>((resolve) => {
      open.once('close', () => resolve())
    })
    return true
  }

  async #ask(folder: string, message: ToShim): Promise<boolean> {
    let socket
    try {
      socket = await connectToShim(folder)
    } catch {
      return false
    }
    const open = socket
    return new Promise((resolve) => {
      onMessages<FromShim>(open, (answer) => {
        if ('ok' in answer) resolve(answer.ok)
        open.destroy()
      })
      open.once('close', () => resolve(false))
      send(open, message)
    })
  }
}
