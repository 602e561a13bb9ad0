import { expect } from 'vitest'
import type { Database, Sql } from '#platform/postgres/database.ts'
import { sliceOf } from '../support/slice.ts'
import type { ControlDatabase } from './control-database.ts'

type Kill = {
  /** PostgreSQL ends the connection before this statement of the transaction, counted from 1. */
  readonly at: number
  /** How many statements were sent before the end. */
  sent: number
  happened: boolean
}

/**
 * A database whose transaction loses its server process before one statement, as in a crash of PostgreSQL. When `at` is
 * one more than there are statements, the connection ends before the commit.
 */
function killedDatabase(db: Database, owner: Sql, kill: Kill): Database {
  const endBackend = async (tx: Sql) => {
    const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    kill.happened = true
    await owner.query('select pg_terminate_backend($1, 5000)', [row?.pid])
  }
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const counted: Sql = {
          query: async (text, values) => {
            kill.sent += 1
            if (kill.sent === kill.at) await endBackend(tx)
            return tx.query(text, values)
          },
        }
        const result = await work(counted)
        kill.sent += 1
        if (kill.sent === kill.at) await endBackend(tx)
        return result
      }),
  }
}

type Attempted = {
  readonly attempt: (db: Database) => Promise<unknown>
  /** `at` is the statement that was never sent; infinite after the attempt that went through. */
  readonly check: (at: number) => Promise<void>
}

/**
 * Runs `attempt` once whole, and then with the connection ended ahead of each statement of this run's share, the commit among them, and
 * checks after each that the ledger holds. Resolves with how many statements there are.
 */
export async function killedAtEveryStatement(
  { db, owner }: Pick<ControlDatabase, 'db' | 'owner'>,
  { attempt, check }: Attempted,
): Promise<number> {
  const whole: Kill = { at: Infinity, sent: 0, happened: false }
  await attempt(killedDatabase(db, owner, whole))
  await check(whole.at)
  const instants = Array.from({ length: whole.sent }, (_, index) => index + 1)
  for (const at of sliceOf(instants, 3)) {
    const kill: Kill = { at, sent: 0, happened: false }
    const outcome = await attempt(killedDatabase(db, owner, kill)).then(
      () => 'went through',
      () => 'was killed',
    )
    expect([at, kill.happened, outcome]).toEqual([at, true, 'was killed'])
    await check(at)
    expect(await owner.query('select * from control.ledger_violations')).toEqual([])
  }
  return instants.length
}
