import { createClockGuard, type ClockGuard } from '../../control-plane/money/lifetime/clock-guard.ts'
import type { LifetimeContext } from '../../control-plane/money/lifetime/lifetime-context.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import type { Database } from '#platform/postgres/database.ts'
import { orderContext } from './shop.ts'

/** A clock guard that always trusts the clock. */
export const stillClock = (): ClockGuard => ({
  mayBill: () => Promise.resolve(true),
  stopped: () => Promise.resolve(null),
  confirm: () => Promise.resolve(),
})

/** The external dependencies of the lifetime run in a test. */
export const lifetimeContext = (
  db: Database,
  {
    now,
    faults = async () => {},
    clockGuard = stillClock(),
  }: { now: () => number; faults?: FaultPoint; clockGuard?: ClockGuard },
): LifetimeContext => ({ ...orderContext(db, { now, faults }), mailSecret: 'the secret of mails', clockGuard })

/** A guard with manual clocks: each call is another start of the program. */
export const guardBy = (db: Database, clocks: { wallMs: number; steadyMs: number; referenceMs?: number }): ClockGuard =>
  createClockGuard(orderContext(db, { now: () => clocks.wallMs }), {
    steadyMs: () => clocks.steadyMs,
    referenceMs: () => Promise.resolve(clocks.referenceMs),
  })
