import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** The source of new ids. */
export interface IdSource {
  /** A new uuid of version 7. */
  next(): string
}

/** The source of ids and secrets. */
export interface Ids extends IdSource {
  /** `length` random bytes from a cryptographic source. */
  bytes(length: number): Uint8Array
}

export const systemIds: Ids = { next: () => v7(), bytes: (length) => new Uint8Array(randomBytes(length)) }

/** A number from 0 up to 1, for back-off and similar: guessing it gains nothing. */
export type RandomSource = () => number

export const systemRandom: RandomSource = () => Math.random()
