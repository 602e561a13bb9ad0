import { FileFailure } from './file-failure.ts'

/** The storage that is left, as the agent has measured it. */
export interface Measured {
  readonly freeBytes: number
  /** Another number for each measurement: two of them can find the same bytes. */
  readonly measurement: number
  /** The begin of the measurement, on the machine's clock: later growth is not in it. Absent: it took no time. */
  readonly measuredAtMs?: number | undefined
  /** Bytes of the disk that stay free whatever happens; none where the server has a disk of its own. */
  readonly reserveBytes?: number
}

/** Bytes that were written between two moments close to one another, by one piece of work or outside of any. */
interface Growth {
  readonly isOfWork: boolean
  readonly sinceMs: number
  atMs: number
  bytes: number
}

/** Growth within this time is one entry: an upload writes thousands of pieces. */
const ENTRY_MS = 1_000

/**
 * The storage that is left, for everything that grows: the agent measures it now and then, and between two measurements all
 * growth counts together, whoever writes and by whatever door. A measurement takes a while: what grows meanwhile counts until the
 * next one, and what is reserved counts until it is written.
 */
export class GrowthBound {
  #measured: Measured = { freeBytes: 0, measurement: -1 }
  readonly #growths = new Set<Growth>()
  #grownBytes = 0
  #reservedBytes = 0
  #newest: Growth | undefined
  readonly #diskFreeBytes: () => number
  readonly #now: () => number

  /** `now` is the machine's clock, by which the agent measures; `diskFreeBytes` asks the disk on which everything grows. */
  constructor(now: () => number, diskFreeBytes: () => number = () => Number.POSITIVE_INFINITY) {
    this.#now = now
    this.#diskFreeBytes = diskFreeBytes
  }

  get leftBytes(): number {
    return this.#measured.freeBytes - this.#grownBytes - this.#reservedBytes
  }

  /** A new measurement contains the growth before its begin. */
  measured(measured: Measured): void {
    if (measured.measurement !== this.#measured.measurement) {
      const { measuredAtMs = Number.POSITIVE_INFINITY } = measured
      for (const growth of this.#growths) if (growth.atMs < measuredAtMs) this.#forget(growth)
    }
    this.#measured = measured
  }

  /** Adds to the entry, or to a new one if it is too old or was measured. */
  #count(bytes: number, entry: Growth | undefined, isOfWork: boolean): Growth {
    const now = this.#now()
    const isOpen = entry !== undefined && this.#growths.has(entry) && now - entry.sinceMs < ENTRY_MS
    const growth = isOpen ? entry : { isOfWork, sinceMs: now, atMs: now, bytes: 0 }
    growth.atMs = now
    growth.bytes += bytes
    this.#growths.add(growth)
    this.#grownBytes += bytes
    return growth
  }

  #forget(growth: Growth): void {
    if (this.#growths.delete(growth)) this.#grownBytes -= growth.bytes
  }

  /** Throws for what would not fit: `NO_SPACE` into the storage, `NODE_FULL` beside the reserve of the disk. */
  refuse(bytes: number): void {
    if (bytes > this.leftBytes) throw new FileFailure('NO_SPACE')
    this.refuseFullDisk(bytes)
  }

  /**
   * As `refuse`, for bytes that already count: other servers fill the same disk meanwhile. A file that does not grow
   * needs no room.
   */
  refuseFullDisk(bytes: number): void {
    const { reserveBytes = 0 } = this.#measured
    if (bytes > 0 && reserveBytes > 0 && bytes > this.#diskFreeBytes() - reserveBytes)
      throw new FileFailure('NODE_FULL')
  }

  /** Before the growth. Throws as `refuse`. */
  grow(bytes: number): void {
    this.refuse(bytes)
    this.#newest = this.#count(bytes, this.#newest, false)
  }

  /** Returns storage that was taken by `grow`, the newest first, and none that a piece of work has taken. */
  giveBack(bytes: number): void {
    let left = bytes
    for (const growth of [...this.#growths].filter(({ isOfWork }) => !isOfWork).toReversed()) {
      const returned = Math.min(left, growth.bytes)
      growth.bytes -= returned
      this.#grownBytes -= returned
      left -= returned
      if (growth.bytes === 0) this.#growths.delete(growth)
      if (left === 0) return
    }
  }

  /** Runs work whose growth counts only if it succeeds. */
  async within<Result>(run: (room: Room) => Promise<Result>): Promise<Result> {
    const own: Growth[] = []
    let reserved = 0
    const room: Room = {
      grow: (bytes) => {
        this.refuse(bytes)
        const growth = this.#count(bytes, own.at(-1), true)
        if (growth !== own.at(-1)) own.push(growth)
      },
      reserve: (bytes) => {
        this.refuse(bytes)
        this.#reservedBytes += bytes
        reserved += bytes
      },
      refuse: (bytes) => this.refuse(bytes),
      refuseFullDisk: (bytes) => this.refuseFullDisk(bytes),
    }
    try {
      const result = await run(room)
      if (reserved > 0) this.#count(reserved, undefined, true)
      return result
    } catch (error) {
      for (const growth of own) this.#forget(growth)
      throw error
    } finally {
      this.#reservedBytes -= reserved
    }
  }
}

/** The storage for one piece of work. */
export interface Room {
  /** Throws for what would not fit. */
  refuse(bytes: number): void
  /** Throws for what the disk does not hold, of bytes that already count. */
  refuseFullDisk(bytes: number): void
  /** Before bytes are written. Throws as `refuse`. */
  grow(bytes: number): void
  /** Before work of a known size, whose bytes are written later. Throws as `refuse`. */
  reserve(bytes: number): void
}
