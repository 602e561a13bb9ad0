import type { OVERLOAD } from '#contracts/overload.ts'
import type { Clock } from '#platform/clock.ts'
import type { Timers } from '../platform/timers.ts'

/** A download in progress. */
export interface RunningDownload {
  readonly userId: string
  /** The bytes that have left so far. */
  bytes(): number
  /** Ends it; its client may resume later. */
  cut(): void
}

type Written<Figures> = { readonly [Key in keyof Figures]: number }
/** The figures of archives in `contracts/overload.ts`. */
export type ArchiveFigures = Written<typeof OVERLOAD.agent.archives>

interface Sample {
  readonly atMs: number
  readonly bytes: number
}

const SAMPLES_IN_A_WINDOW = 3

/**
 * The places of archive downloads. Users share them: nobody holds all, a reader below the least rate makes room for
 * whoever waits, and after a turn any reader makes room for a user who has none.
 */
export class ArchivePlaces {
  readonly #clock: Clock
  readonly #timers: Timers
  readonly #figures: ArchiveFigures
  readonly #running = new Map<RunningDownload, Sample[]>()
  #stopSampling: () => void = () => {}

  constructor(deps: { readonly clock: Clock; readonly timers: Timers }, figures: ArchiveFigures) {
    this.#clock = deps.clock
    this.#timers = deps.timers
    this.#figures = figures
  }

  /** Whether `take` would succeed for the user. */
  hasRoomFor(userId: string): boolean {
    const { atOnce, perUser } = this.#figures
    if (this.#ofUser(userId) >= perUser) return false
    return this.#running.size < atOnce || this.#whoMakesRoom(userId) !== undefined
  }

  /** Takes a place, for which a slower download may be cut. Call `hasRoomFor` before. */
  take(download: RunningDownload): void {
    if (this.#running.size >= this.#figures.atOnce) {
      const cut = this.#whoMakesRoom(download.userId)
      if (cut !== undefined) this.leave(cut)
      cut?.cut()
    }
    if (this.#running.size === 0) {
      const everyMs = this.#figures.windowMs / SAMPLES_IN_A_WINDOW
      this.#stopSampling = this.#timers.every(everyMs, () => this.#sample())
    }
    this.#running.set(download, [this.#sampleOf(download)])
  }

  leave(download: RunningDownload): void {
    if (this.#running.delete(download) && this.#running.size === 0) this.#stopSampling()
  }

  #ofUser(userId: string): number {
    return [...this.#running.keys()].filter((download) => download.userId === userId).length
  }

  #sampleOf(download: RunningDownload): Sample {
    return { atMs: this.#clock.now(), bytes: download.bytes() }
  }

  /** Keeps the first sample, which is the beginning, and those of the last window. */
  #sample(): void {
    for (const [download, [first, ...later]] of this.#running) {
      const recent = [...later, this.#sampleOf(download)].slice(-SAMPLES_IN_A_WINDOW - 1)
      this.#running.set(download, first === undefined ? recent : [first, ...recent])
    }
  }

  /** Infinite until a whole window has been seen. */
  #rateOf(download: RunningDownload): number {
    const samples = this.#running.get(download) ?? []
    const now = this.#sampleOf(download)
    const since = samples.findLast(({ atMs }) => now.atMs - atMs >= this.#figures.windowMs)
    return since === undefined ? Infinity : ((now.bytes - since.bytes) * 1_000) / (now.atMs - since.atMs)
  }

  #whoMakesRoom(userId: string): RunningDownload | undefined {
    const all = [...this.#running.keys()]
    const [slowest] = all.toSorted((one, other) => this.#rateOf(one) - this.#rateOf(other))
    if (slowest !== undefined && this.#rateOf(slowest) < this.#figures.leastBytesPerSecond) return slowest
    if (this.#ofUser(userId) > 0) return undefined
    const nowMs = this.#clock.now()
    // The map keeps their order: the one that has had its place for longest comes first.
    return all.find((download) => nowMs - (this.#running.get(download)?.[0]?.atMs ?? nowMs) >= this.#figures.turnMs)
  }
}
