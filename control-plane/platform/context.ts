import type { Clock } from '#domain/kernel/clock.ts'
import type { Logger } from './logger.ts'
import type { Database } from './postgres.ts'

/** Names a point where a crash matters. A no-op in production; tests make it kill, throw or wait. */
export type FaultPoint = (name: string) => Promise<void>

/** Where ids and other random values come from. */
export interface Ids {
  /** A new uuid of version 7. */
  next(): string
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array
}

/** The context of every use case: the outside world as arguments. */
export type Context = {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly faults: FaultPoint
  readonly log: Logger
}
