import type { Clock } from '#platform/clock.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import type { Ids } from '#platform/ids.ts'
import type { Logger } from '#platform/logger.ts'
import type { Database } from '#platform/postgres/database.ts'

/** The context of every use case: the outside world as arguments. */
export type Context = {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly faults: FaultPoint
  readonly log: Logger
}
