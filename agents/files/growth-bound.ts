import { FileFailure } from './file-failure.ts'

/** The storage that is left, as the agent has measured it. */
export interface Measured {
  readonly freeBytes: number
  /** Another number for each measurement: two of them can find the same bytes. */
  readonly measurement: number
  /** Bytes of the disk that stay free whatever happens; none where the server has a disk of its own. */
  readonly reserveBytes?: number
}

/**
 * The storage that is left, for everything that grows: the agent measures it now and then, and between two measurements all
 * growth counts together, whoever writes and by whatever door.
 */
export class GrowthBound {
  #measured: Measured = { freeBytes: 0, measurement: -1 }
  #grownBytes = 0
  readonly #diskFreeBytes: () => number

  /** `diskFreeBytes` asks the disk on which everything grows. */
  constructor(diskFreeBytes: () => number = () => Number.POSITIVE_INFINITY) {
    this.#diskFreeBytes = diskFreeBytes
  }

  get leftBytes(): number {
    return this.#measured.freeBytes - this.#grownBytes
  }

  /** A new measurement contains what had grown before it. */
  measured(measured: Measured): void {
    if (measured.measurement !== this.#measured.measurement) this.#grownBytes = 0
    this.#measured = measured
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
    this.#grownBytes += bytes
  }

  /** Returns the storage that failed work had taken. */
  giveBack(bytes: number): void {
    this.#grownBytes = Math.max(0, this.#grownBytes - bytes)
  }

  /** Runs work whose growth counts only if it succeeds. */
  async within<Result>(run: (room: Room) => Promise<Result>): Promise<Result> {
    let bytes = 0
    const grow = (more: number): void => {
      this.grow(more)
      bytes += more
    }
    try {
      return await run({
        grow,
        refuse: (more) => this.refuse(more),
        refuseFullDisk: (more) => this.refuseFullDisk(more),
      })
    } catch (error) {
      this.giveBack(bytes)
      throw error
    }
  }
}

/** The storage for one piece of work. */
export interface Room {
  /** Throws for what would not fit. */
  refuse(bytes: number): void
  /** Throws for what the disk does not hold, of bytes that already count. */
  refuseFullDisk(bytes: number): void
  /** Before the growth. Throws as `refuse`. */
  grow(bytes: number): void
}
