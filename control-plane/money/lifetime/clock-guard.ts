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

/** Clocks beside the one that the program goes by. */
export type OtherClocks = {
  /** Counts on whatever happens to the time of day; milliseconds. */
  readonly steadyMs: () => number
  /** The time of day of somebody else, such as the database; undefined where nobody is asked. */
  readonly referenceMs: (sql: Sql) => Promise<number | undefined>
}

export type ClockGuard = {
  /** Reads the clocks, and answers whether what bills by itself may run now. */
  mayBill(): Promise<boolean>
  /** The jump that stopped it, or null. */
  stopped(): Promise<ClockJump | null>
  /** Staff say that the time is right: it may go on. */
  confirm(): Promise<void>
}

type Row = { last_wall_at: Date | null; stopped: ClockJump | null; confirmations: number }
const LOCKED = 'select last_wall_at, stopped, confirmations from control.billing_clock for update'

/**
 * Watches the clock of this process together with all others: each measures from a reading of its own, and a jump that one of them
 * sees stops all, over restarts too, until staff confirm.
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
