import { MAX_ARCHIVE_ENTRIES, MAX_ARCHIVE_RATIO, RATIO_FLOOR_BYTES } from '#contracts/panel/archive-formats.ts'
import { FileFailure } from '../file-failure.ts'
import type { Room } from '../growth-bound.ts'
import type { Declared } from './archive-entry.ts'

/** Every entry takes at least one block of the disk. */
export const BLOCK_BYTES = 4_096

/**
 * The bounds of one extraction: entries, bytes on the disk, and bytes for each byte of the archive. Everything throws
 * `FileFailure`: `ARCHIVE_TOO_MANY`, `NO_SPACE`, `ARCHIVE_TOO_DENSE`.
 */
export class UnpackBounds {
  readonly #archiveBytes: number
  readonly #room: Pick<Room, 'grow' | 'refuse'>
  #entries = 0
  #unpacked = 0

  constructor({ archiveBytes, room }: { archiveBytes: number; room: Pick<Room, 'grow' | 'refuse'> }) {
    this.#archiveBytes = archiveBytes
    this.#room = room
  }

  /** Before anything is unpacked. */
  declared({ entries, bytes }: Declared): void {
    if (entries > MAX_ARCHIVE_ENTRIES) throw new FileFailure('ARCHIVE_TOO_MANY')
    this.#checkRatio(bytes)
    this.#room.refuse(bytes)
  }

  entry(): void {
    this.#entries += 1
    if (this.#entries > MAX_ARCHIVE_ENTRIES) throw new FileFailure('ARCHIVE_TOO_MANY')
    this.#room.grow(BLOCK_BYTES)
  }

  /** Bytes that came out of the archive, whether they are kept or not. */
  unpacked(bytes: number): void {
    this.#unpacked += bytes
    this.#checkRatio(this.#unpacked)
  }

  /** Bytes that are about to be written; the first block of a file is taken already. */
  stored(bytes: number): void {
    this.#room.grow(bytes)
  }

  #checkRatio(bytes: number): void {
    const isDense = bytes > RATIO_FLOOR_BYTES && bytes > this.#archiveBytes * MAX_ARCHIVE_RATIO
    if (isDense) throw new FileFailure('ARCHIVE_TOO_DENSE')
  }
}
