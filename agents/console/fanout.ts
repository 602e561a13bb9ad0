import type { ConsoleLine } from './console-line.ts'
import type { ConsoleSource } from './history-reader.ts'

/** Lines on their way to viewers. Viewers at the same position get the same batch, so that its text is encoded once. */
export interface Batch {
  readonly lines: readonly ConsoleLine[]
  /** The encoded lines. */
  text(encode: (lines: readonly ConsoleLine[]) => Buffer): Buffer
}

export interface Viewer {
  isOpen(): boolean
  /** Bytes handed over but not sent yet. */
  bufferedBytes(): number
  /** `sent` is called once the batch has left; the viewer then gets the next one. */
  deliver(batch: Batch, sent: () => void): void
  dropped(count: number): void
}

export interface FanoutLimits {
  readonly batchLines: number
  readonly maxBufferedBytes: number
}

export const DEFAULT_FANOUT: FanoutLimits = { batchLines: 500, maxBufferedBytes: 256 * 1024 }

const batchOf = (lines: readonly ConsoleLine[]): Batch => {
  let made: Buffer | undefined
  return { lines, text: (encode) => (made ??= encode(lines)) }
}

const NOTHING = { dropped: 0, batch: batchOf([]) }

interface Place {
  readonly viewer: Viewer
  seq: number
}

/**
 * Delivers every line to every viewer once. Each viewer has its own position and gets the next batch when the last one
 * has left, so a slow viewer delays neither the server nor the other viewers, and costs at most one buffer.
 */
export class Fanout {
  readonly #source: ConsoleSource
  readonly #limits: FanoutLimits
  readonly #places = new Set<Place>()
  #scheduled = false
  /** The newest batch with the position before it. */
  #newest:
    { readonly after: number; readonly lastSeq: number; readonly page: { dropped: number; batch: Batch } } | undefined

  constructor(source: ConsoleSource, limits: FanoutLimits = DEFAULT_FANOUT) {
    this.#source = source
    this.#limits = limits
  }

  /** Starts to deliver after the line numbered `afterSeq`. Returns the stop function. */
  add(viewer: Viewer, afterSeq: number): () => void {
    // A position in the future (of a lost history) would wait for ever, so it starts at the newest line.
    const place: Place = { viewer, seq: Math.min(Math.max(0, afterSeq), this.#source.lastSeq) }
    this.#places.add(place)
    this.#pump(place)
    return () => {
      this.#places.delete(place)
    }
  }

  /** Signals new lines of the source. Many calls in one turn of the event loop are one delivery. */
  changed(): void {
    if (this.#scheduled || this.#places.size === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      for (const place of this.#places) this.#pump(place)
    })
  }

  get viewers(): number {
    return this.#places.size
  }

  #pump(place: Place): void {
    while (this.#places.has(place)) {
      if (!place.viewer.isOpen()) {
        this.#places.delete(place)
        return
      }
      if (place.viewer.bufferedBytes() >= this.#limits.maxBufferedBytes) return
      const { dropped, batch } = this.#next(place.seq)
      if (dropped > 0) {
        place.seq += dropped
        place.viewer.dropped(dropped)
      }
      const last = batch.lines.at(-1)
      if (last === undefined) return
      place.seq = last.seq
      place.viewer.deliver(batch, () => this.#pump(place))
    }
  }

  #next(seq: number): { dropped: number; batch: Batch } {
    const { lastSeq } = this.#source
    if (seq >= lastSeq) return NOTHING
    if (this.#newest?.after === seq && this.#newest.lastSeq === lastSeq) return this.#newest.page
    const { dropped, lines } = this.#source.after(seq, this.#limits.batchLines)
    const page = { dropped, batch: batchOf(lines) }
    this.#newest = { after: seq, lastSeq, page }
    return page
  }
}
