import type { Database, Sql } from '#platform/postgres/database.ts'

export type Kill = {
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
export function killedDatabase(db: Database, owner: Sql, kill: Kill): Database {
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
