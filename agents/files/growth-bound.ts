import { FileFailure } from './file-failure.ts'

/** The storage that is left, as the agent has measured it. */
export interface Measured {
  readonly freeBytes: number
  /** Another number for each measurement: two of them can find the same bytes. */
  readonly measurement: number
}

/**
 * The storage that is left, for everything that grows: the agent measures it now and then, and between two measurements all
 * growth counts together, whoever writes and by whatever door.
 */
export class GrowthBound {
  #measured: Measured = { freeBytes: 0, measurement: -1 }
  #grownBytes = 0

  get leftBytes(): number {
    return this.#measured.freeBytes - this.#grownBytes
  }

  /** A new measurement contains what had grown before it. */
  measured(measured: Measured): void {
    if (measured.measurement !== this.#measured.measurement) this.#grownBytes = 0
    this.#measured = measured
  }

  /** Before the growth. Throws `NO_SPACE`. */
  grow(bytes: number): void {
    if (bytes > this.leftBytes) throw new FileFailure('NO_SPACE')
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
    const left = (): number => this.leftBytes
    try {
      return await run({
        grow,
        get leftBytes() {
          return left()
        },
      })
    } catch (error) {
      this.giveBack(bytes)
      throw error
    }
  }
}

/** The storage for one piece of work. */
export interface Room {
  readonly leftBytes: number
  /** Before the growth. Throws `NO_SPACE`. */
  grow(bytes: number): void
}
