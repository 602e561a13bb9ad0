import type { Clock } from '../platform/clock.ts'
import type { Disk } from '../platform/disk.ts'
import type { Log } from '../platform/logger.ts'
import type { Timers } from '../platform/timers.ts'
import type { ServerLayout } from './layout.ts'
import { writeRecord, type ServerRecord } from './state-file.ts'

/** Pause before something that failed is tried again. */
export const AGAIN_MS = 5_000

export interface UnwrittenDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly disk: Disk
  readonly log: Log
}

/**
 * The record of a server that stands in memory only, because the disk took nothing when it changed. It is written again
 * and again until that works; what must not be done before, waits.
 */
export class UnwrittenRecord {
  readonly #deps: UnwrittenDeps
  readonly #who: { readonly id: string; readonly layout: ServerLayout }
  readonly #record: () => ServerRecord
  #waiting: (() => void)[] = []
  #isUnwritten = false
  #isStopped = false
  #cancel: () => void = () => {}

  constructor(
    deps: UnwrittenDeps,
    who: { readonly id: string; readonly layout: ServerLayout },
    record: () => ServerRecord,
  ) {
    this.#deps = deps
    this.#who = who
    this.#record = record
  }

  /** Called when the whole record has been written. */
  written(): void {
    if (!this.#isUnwritten) return
    this.#isUnwritten = false
    this.#cancel()
    this.#deps.log.info({ serverId: this.#who.id }, 'the record of a server could be written again')
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }

  /** Called when the record has changed and could not be written. */
  keepTrying(error: unknown): void {
    if (!this.#isUnwritten)
      this.#deps.log.error({ err: error, serverId: this.#who.id }, 'a record is kept in memory until the disk takes it')
    this.#isUnwritten = true
    this.#cancel()
    if (!this.#isStopped) this.#cancel = this.#deps.timers.after(AGAIN_MS, () => this.#tryAgain())
  }

  /** Runs the action once the record is on disk. It does not wait for that; failures are logged. */
  async after(action: () => Promise<void>): Promise<void> {
    if (!this.#isUnwritten) return action()
    this.#waiting.push(() => {
      void action().catch((error: unknown) =>
        this.#deps.log.error({ err: error, serverId: this.#who.id }, 'not done after the record was written'),
      )
    })
  }

  /** Lets go: another agent reads what is on the disk. */
  stop(): void {
    this.#isStopped = true
    this.#cancel()
    this.#waiting = []
  }

  #tryAgain(): void {
    try {
      writeRecord(this.#deps.disk, this.#who.layout, this.#record())
    } catch (error) {
      this.keepTrying(error)
      return
    }
    this.written()
  }
}
