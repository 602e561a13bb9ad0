import { noteLine } from '../../console/notes.ts'
import fs from 'node:fs'
import type { Clock } from '#platform/clock.ts'
import type { Timers } from '../../platform/timers.ts'
import type { ConsoleWriters } from './console-writers.ts'
import { JsonLogFile } from './log-file.ts'

/** How much is read before others get their turn. */
const TURN_BYTES = 1024 * 1024
const LOOK_EVERY_MS = 250
/** Writes of a program within this time are read together. */
const GATHER_MS = 2

export interface OutputTask {
  readonly consoleFolder: string
  readonly afterSeq: number
  readonly logPath: string
  readonly isInstaller: boolean
}

/** Copies a container's output into the server's history. */
export interface ContainerOutput {
  /**
   * Copies all output, to the end. False when the history could not be written, or the engine did not respond: the rest
   * stays in the engine's log.
   */
  drain(): Promise<boolean>
  close(): void
}

interface OutputDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly writers: ConsoleWriters
  /** The history has new lines. */
  changed(): void
  /** The history could not be written: the first error of a series. */
  failed(error: unknown): void
}

/**
 * Copies from the engine's log file. After each turn it rests for as long as the turn took, so that the noisiest server
 * leaves half of the agent's time to the others; the rest waits in the log file.
 */
export class FileOutput implements ContainerOutput {
  readonly #task: OutputTask
  readonly #deps: OutputDeps
  readonly #closers: (() => void)[] = []
  #log: JsonLogFile | undefined
  #watcher: fs.FSWatcher | undefined
  #isWaiting = false
  #hasFailed = false
  #isClosed = false

  /** Throws when the log file cannot be read here. */
  constructor(task: OutputTask, deps: OutputDeps) {
    this.#task = task
    this.#deps = deps
    fs.accessSync(task.logPath, fs.constants.R_OK)
    this.#closers.push(
      deps.timers.every(LOOK_EVERY_MS, () => {
        this.#watch()
        this.#look(0)
      }),
      () => this.#unwatch(),
    )
    this.#watch()
    this.#look(0)
  }

  async drain(): Promise<boolean> {
    while (!this.#isClosed && this.#turn()) {
      await new Promise<void>((resolve) => {
        this.#deps.timers.after(0, resolve)
      })
    }
    return !this.#hasFailed
  }

  close(): void {
    this.#isClosed = true
    for (const close of this.#closers.splice(0)) close()
    this.#log?.close()
    this.#log = undefined
  }

  /** Watches the file that currently has the name. Without notifications the periodic read is enough, only later. */
  #watch(): void {
    if (this.#watcher !== undefined || this.#isClosed) return
    try {
      const watcher = fs.watch(this.#task.logPath, { persistent: false }, (event) => {
        // Rotated: the watch belongs to the old file.
        if (event === 'rename') this.#unwatch()
        this.#watch()
        this.#look(GATHER_MS)
      })
      watcher.on('error', () => this.#unwatch())
      this.#watcher = watcher
    } catch {
      // Between the engine's rename and its next file.
    }
  }

  #unwatch(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }

  #look(delayMs: number): void {
    if (this.#isWaiting || this.#isClosed) return
    this.#isWaiting = true
    this.#deps.timers.after(delayMs, () => {
      const begunAtMs = this.#deps.clock.now()
      this.#isWaiting = false
      if (this.#turn()) this.#look(Math.max(1, this.#deps.clock.now() - begunAtMs))
    })
  }

  /** Returns true when there is more to copy now. */
  #turn(): boolean {
    if (this.#isClosed) return false
    try {
      const { writer, isNew } = this.#deps.writers.of(this.#task.consoleFolder)
      if (isNew || this.#log === undefined) this.#reopen(writer.lastPosition)
      const before = writer.lastSeq
      const isMore = this.#log?.pump(TURN_BYTES) ?? false
      if (writer.lastSeq > before) this.#deps.changed()
      this.#hasFailed = false
      return isMore
    } catch (error) {
      if (!this.#hasFailed) this.#deps.failed(error)
      this.#hasFailed = true
      return false
    }
  }

  #reopen(last: { readonly at: string; readonly seq: number } | undefined): void {
    const { consoleFolder, afterSeq, logPath, isInstaller } = this.#task
    this.#log?.close()
    this.#log = undefined
    const position = last !== undefined && last.seq > afterSeq ? last.at : undefined
    this.#log = new JsonLogFile(
      logPath,
      { position, isInstaller },
      {
        lines: (lines) => {
          this.#deps.writers.of(consoleFolder).writer.append(lines)
        },
        dropped: (count) => {
          const note = noteLine(
            count === null ? { code: 'some-lines-lost', params: {} } : { code: 'lines-lost', params: { lines: count } },
          )
          const line = { timeMs: this.#deps.clock.now(), stream: 'x', ...note } as const
          this.#deps.writers.of(consoleFolder).writer.append([line])
        },
      },
    )
  }
}
