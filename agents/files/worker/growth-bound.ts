import { FileFailure } from '../file-failure.ts'

/**
 * The storage that is left, for everything that grows bit by bit: the agent measures it now and then, and between two
 * measurements all growth counts together, whoever writes.
 */
export class GrowthBound {
  #freeBytes = 0
  #grownBytes = 0

  /** A new measurement contains what had grown before it. */
  measured(freeBytes: number): void {
    if (freeBytes === this.#freeBytes) return
    this.#freeBytes = freeBytes
    this.#grownBytes = 0
  }

  /** Before the growth. Throws `NO_SPACE`. */
  grow(bytes: number): void {
    if (this.#grownBytes + bytes > this.#freeBytes) throw new FileFailure('NO_SPACE')
    this.#grownBytes += bytes
  }
}
