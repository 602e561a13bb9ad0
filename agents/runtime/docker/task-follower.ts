import { noteLine } from '../../console/notes.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'
import { isAlive } from '../../platform/process-identity.ts'
import { sleep, type Timers } from '../../platform/timers.ts'
import type { ServerFolders, TaskWatcher } from '../driver/runtime-driver.ts'
import type { TaskExit, TaskHandle } from '../driver/task-handle.ts'
import type { ConsoleWriters } from './console-writers.ts'
import { FileOutput, type ContainerOutput, type OutputTask } from './container-output.ts'
import type { Containers } from './containers.ts'
import { StreamOutput } from './container-stream.ts'
import type { DockerEngine } from './engine.ts'
import { exitOf } from './exit-code.ts'
import { taskFolder, type DockerStart, type DockerTask, type TaskRecords } from './task-record.ts'

/** Events report an end at once; this finds missed ones. */
const LOOK_EVERY_MS = 5_000
/** The kernel knows before the engine that a process has gone. */
const PROCESS_LOOK_MS = 500
/**
 * How many times in a row, half a second apart, the engine must report a container as running whose process is gone in
 * the kernel. A busy engine reports an end with its exit code long before.
 */
const DISPUTED_ANSWERS = 16
const END_LOOK_MS = 25
/** An engine reports a memory limit just before or just after the end that it caused. */
const OOM_WORD_MS = 500
/**
 * An end reported this late happened while the engine was down. Such an engine reports the end before it has written
 * the program's last output, which is still in a pipe.
 */
const LATE_END_MS = 500
const LATE_LINES_MS = 1_000

export interface FollowerDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly engine: DockerEngine
  readonly containers: Containers
  readonly records: TaskRecords
  readonly writers: ConsoleWriters
}

export interface FollowedTask {
  readonly handle: TaskHandle
  readonly folders: ServerFolders
  readonly task: DockerTask
  readonly start: DockerStart
}

/**
 * Follows one container to its end: copies its output, ends it after its time-out, and records how it ended. An
 * unresponsive engine proves nothing: a container has ended only if the engine says so, if the container is gone, or if
 * its process is gone although the engine repeatedly reports it as running.
 */
export class TaskFollower {
  readonly #task: FollowedTask
  readonly #deps: FollowerDeps
  readonly #watchers = new Set<TaskWatcher>()
  readonly #closers: (() => void)[] = []
  #output: ContainerOutput
  #exit: TaskExit | undefined
  #finishing: Promise<TaskExit> | undefined
  /** The end is known and reported by this process only: the disk has stored neither it nor the last lines yet. */
  #isUnsettled = false
  #settling: Promise<boolean> | undefined
  #isLooking = false
  #lookAgain = false
  #disputed = 0
  #isClosed = false
  #wasOom = false
  #isKilled = false
  readonly #onEnd: () => void

  constructor(task: FollowedTask, deps: FollowerDeps, onEnd: () => void) {
    this.#task = task
    this.#deps = deps
    this.#onEnd = onEnd
    this.#output = this.#openOutput()
    this.#closers.push(
      deps.timers.every(LOOK_EVERY_MS, () => void this.look()),
      deps.timers.every(PROCESS_LOOK_MS, () => {
        if (this.#hasGone()) void this.look()
      }),
    )
    this.#limitTime()
  }

  /** Adds a watcher. A watcher added after the end is notified of it. Returns the function that removes it. */
  watch(watcher: TaskWatcher): () => void {
    if (this.#exit !== undefined) {
      watcher.exited(this.#exit)
      return () => {}
    }
    this.#watchers.add(watcher)
    void this.look()
    return () => {
      this.#watchers.delete(watcher)
    }
  }

  get task(): FollowedTask {
    return this.#task
  }

  /** How the task ended, once that is known. */
  get exit(): TaskExit | undefined {
    return this.#exit
  }

  /** The engine reports that the container reached its memory limit. */
  noteOom(): void {
    this.#wasOom = true
    void this.look()
  }

  /** The agent itself ends the container, so no reason has to be determined. */
  noteKill(): void {
    this.#isKilled = true
  }

  /** Asks the engine whether the container has ended. A call during a running check repeats it once. */
  async look(): Promise<void> {
    this.#lookAgain = true
    if (this.#isLooking || this.#isClosed) return
    this.#isLooking = true
    try {
      while (this.#lookAgain && !this.#isClosed) {
        this.#lookAgain = false
        if (this.#exit !== undefined) {
          await this.settle()
          continue
        }
        const exit = await this.#askForEnd()
        if (exit !== undefined) await this.finish(exit)
      }
    } catch (error) {
      this.#deps.log.error({ err: error, taskId: this.#task.handle.taskId }, 'the end of a container was not recorded')
    } finally {
      this.#isLooking = false
    }
  }

  /**
   * Asks until the end is known; undefined if it is not within `withinMs`. A busy engine, or a question of somebody else that is
   * under way, may report a container as running for a moment after its process has gone.
   */
  async awaitEnd(withinMs: number): Promise<TaskExit | undefined> {
    const deadline = this.#deps.clock.now() + withinMs
    for (;;) {
      await this.look()
      if (this.#exit !== undefined || this.#isClosed || this.#deps.clock.now() >= deadline) return this.#exit
      await sleep(this.#deps.timers, END_LOOK_MS)
    }
  }

  /** Stops following the container, which keeps running. */
  close(): void {
    this.#isClosed = true
    for (const close of this.#closers.splice(0)) close()
    this.#output.close()
    this.#deps.writers.close(this.#task.folders.console)
  }

  #openOutput(): ContainerOutput {
    const { folders, task, start, handle } = this.#task
    const output: OutputTask = {
      consoleFolder: folders.console,
      afterSeq: task.afterSeq,
      logPath: start.logPath,
      isInstaller: handle.kind === 'install',
    }
    const deps = {
      ...this.#deps,
      changed: () => {
        for (const watcher of this.#watchers) watcher.output()
      },
      failed: (error: unknown) =>
        this.#deps.log.warn({ err: error, serverId: handle.serverId }, 'console lines could not be kept and wait'),
    }
    try {
      return new FileOutput(output, deps)
    } catch {
      // The engine is on another machine, or its files are not readable.
      return new StreamOutput({ ...output, containerId: start.containerId }, { ...deps, engine: this.#deps.engine })
    }
  }

  async #askForEnd(): Promise<TaskExit | undefined> {
    const { handle } = this.#task
    const told = await this.#deps.containers.inspect(handle)
    const isDisputed = told.ok && told.value.is === 'found' && told.value.container.is === 'running' && this.#hasGone()
    this.#disputed = isDisputed ? this.#disputed + 1 : 0
    if (!told.ok) return undefined
    const nowMs = this.#deps.clock.now()
    const unknown: TaskExit = { code: null, signal: null, atMs: nowMs }
    if (told.value.is === 'absent') return unknown
    const { container } = told.value
    if (container.is === 'ended') return this.#withReason(exitOf(container.end, nowMs))
    return this.#disputed >= DISPUTED_ANSWERS ? unknown : undefined
  }

  /** A SIGKILL of unknown origin may be the kernel's, for memory, before the engine has reported it. */
  async #withReason(exit: TaskExit): Promise<TaskExit> {
    if (exit.signal !== 'SIGKILL' || exit.oomKilled === true || this.#isKilled) return exit
    if (!this.#wasOom) await sleep(this.#deps.timers, OOM_WORD_MS)
    const told = await this.#deps.containers.inspect(this.#task.handle)
    const isOom = this.#wasOom || (told.ok && told.value.is === 'found' && told.value.container.end.OOMKilled)
    return isOom ? { ...exit, oomKilled: true } : exit
  }

  /**
   * Whether the kernel knows that the container's first process has gone. An engine that lost its containerd misses
   * ends meanwhile: it reports such a container as running until it is told to end it, and half a minute longer.
   */
  #hasGone(): boolean {
    const { start } = this.#task
    return start.pid > 0 && start.startTicks !== '' && !isAlive(start)
  }

  /**
   * Copies the last lines, records the end and reports it, once. Resolves with the end. On a full disk it is reported
   * all the same, and copied and recorded by `settle`; until then the engine keeps both.
   */
  finish(exit: TaskExit): Promise<TaskExit> {
    this.#finishing ??= this.#finishOnce(exit)
    return this.#finishing
  }

  /** Whether lines and end of an ended task are stored; if not, it tries to. */
  settle(): Promise<boolean> {
    const exit = this.#exit
    if (exit === undefined || !this.#isUnsettled) return Promise.resolve(exit !== undefined)
    this.#settling ??= this.#keep(exit)
      .then((isKept) => {
        this.#isUnsettled = !isKept
        if (isKept) this.#onEnd()
        return isKept
      })
      .finally(() => {
        this.#settling = undefined
      })
    return this.#settling
  }

  async #finishOnce(exit: TaskExit): Promise<TaskExit> {
    const { handle, folders } = this.#task
    const recorded = this.#deps.records.exit(taskFolder(folders.state, handle.taskId)) ?? exit
    const isKept = await this.#keep(recorded)
    this.#exit = recorded
    this.#isUnsettled = !isKept
    const watchers = [...this.#watchers]
    this.#watchers.clear()
    if (isKept) this.#onEnd()
    for (const watcher of watchers) watcher.exited(recorded)
    return recorded
  }

  async #keep(exit: TaskExit): Promise<boolean> {
    const { handle, folders } = this.#task
    const isLate = this.#deps.clock.now() - exit.atMs > LATE_END_MS
    if (!(await this.#output.drain())) return false
    if (isLate) {
      await sleep(this.#deps.timers, LATE_LINES_MS)
      if (!(await this.#output.drain())) return false
    }
    try {
      this.#deps.records.writeExit(taskFolder(folders.state, handle.taskId), exit)
      return true
    } catch (error) {
      if (!this.#isUnsettled) {
        this.#deps.log.warn({ err: error, serverId: handle.serverId }, 'the end of a container waits for the disk')
      }
      return false
    }
  }

  /** Counted from the container's start, so that a restarted agent ends an overdue one at once. */
  #limitTime(): void {
    const { task, start } = this.#task
    if (task.timeoutMs === null) return
    const leftMs = start.startedAtMs + task.timeoutMs - this.#deps.clock.now()
    this.#closers.push(this.#deps.timers.after(Math.max(0, leftMs), () => void this.#timeOut(task.timeoutMs ?? 0)))
  }

  async #timeOut(timeoutMs: number): Promise<void> {
    const note = noteLine({ code: 'time-limit', params: { seconds: Math.round(timeoutMs / 1_000) } })
    try {
      this.#deps.writers.note(this.#task.folders.console, [{ timeMs: this.#deps.clock.now(), stream: 'x', ...note }])
    } catch {
      // A full disk costs only the note.
    }
    this.noteKill()
    const ended = await this.#deps.containers.signal(this.#task.start.containerId, 'SIGKILL')
    if (!ended.ok && !this.#isClosed) {
      this.#closers.push(this.#deps.timers.after(LOOK_EVERY_MS, () => void this.#timeOut(timeoutMs)))
    }
    void this.look()
  }
}
