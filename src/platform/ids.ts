import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** Where new names come from. */
export interface IdSource {
  /** A new uuid of version 7. */
  next(): string
}

/** Where ids and secrets come from. */
export interface Ids extends IdSource {
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array
}

export const systemIds: Ids = { next: () => v7(), bytes: (length) => new Uint8Array(randomBytes(length)) }

/** A number from 0 up to 1, for back-off and the like: whoever guesses it gains nothing. */
export type RandomSource = () => number

export const systemRandom: RandomSource = () => Math.random()
