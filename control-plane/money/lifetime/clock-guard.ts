import {
  confirmClock,
  mayBill,
  observeClock,
  type ClockJump,
  type ClockReading,
  type ClockWatch,
} from '#domain/billing/clock-jump.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** Clocks besides the program's own. */
export type OtherClocks = {
  /** A monotonic clock in milliseconds. */
  readonly steadyMs: () => number
  /** An independent time of day, such as the database's; undefined without one. */
  readonly referenceMs: (sql: Sql) => Promise<number | undefined>
}

export type ClockGuard = {
  /** Reads the clocks, and returns whether automatic billing may run now. */
  mayBill(): Promise<boolean>
  /** The jump that stopped billing, or null. */
  stopped(): Promise<ClockJump | null>
  /** Staff confirm the time: billing may continue. */
  confirm(): Promise<void>
}

type Row = { last_wall_at: Date | null; stopped: ClockJump | null; confirmations: number }
const LOCKED = 'select last_wall_at, stopped, confirmations from control.billing_clock for update'

/**
 * Watches the clock of this process together with all others: each measures from its own reading, and a jump seen by
 * one stops billing in all of them, across restarts, until staff confirm.
 */
export function createClockGuard({ db, clock, ids, log }: Context, clocks: OtherClocks): ClockGuard {
  const bootId = ids.next()
  let own: { anchor: ClockReading; confirmations: number } | undefined
  const read = async (tx: Sql): Promise<ClockReading> => ({
    wallMs: clock.now(),
    steadyMs: clocks.steadyMs(),
    bootId,
    referenceMs: await clocks.referenceMs(tx),
  })
  const watchOf = (row: Row): ClockWatch => {
    const isKnown = own !== undefined && own.confirmations === row.confirmations
    const last = row.last_wall_at && { wallMs: row.last_wall_at.getTime(), steadyMs: 0, bootId: '' }
    return {
      ...(isKnown && own ? { anchor: own.anchor } : {}),
      ...(last ? { last } : {}),
      ...(row.stopped ? { stopped: row.stopped } : {}),
    }
  }
  const write = async (tx: Sql, watch: ClockWatch, confirmations: number): Promise<void> => {
    const { last, stopped, anchor } = watch
    await tx.query('update control.billing_clock set last_wall_at = $1, stopped = $2, confirmations = $3', [
      last ? new Date(last.wallMs) : null,
      stopped ? JSON.stringify(stopped) : null,
      confirmations,
    ])
    if (anchor) own = { anchor, confirmations }
  }
  const firstRow = async (tx: Sql, text: string): Promise<Row> => {
    const [row] = await tx.query<Row>(text)
    if (!row) throw new Error('control.billing_clock has no row')
    return row
  }
  return {
    mayBill: () =>
      db.transaction(async (tx) => {
        const row = await firstRow(tx, LOCKED)
        const watch = observeClock(watchOf(row), await read(tx))
        await write(tx, watch, row.confirmations)
        if (watch.stopped)
          log.error({ ...watch.stopped }, 'the clock jumped: billing stands still until staff confirm the time')
        return mayBill(watch)
      }),
    stopped: async () => (await firstRow(db, 'select * from control.billing_clock')).stopped,
    confirm: () =>
      db.transaction(async (tx) => {
        const { confirmations } = await firstRow(tx, LOCKED)
        await write(tx, confirmClock(await read(tx)), confirmations + 1)
      }),
  }
}

/** The time of day of the database. */
export async function databaseTimeMs(sql: Sql): Promise<number | undefined> {
  const [row] = await sql.query<{ now: Date }>('select clock_timestamp() as now')
  return row?.now.getTime()
}
