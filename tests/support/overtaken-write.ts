import type { Database, Sql } from '#platform/postgres/database.ts'
import { waitFor } from './wait-for.ts'

type Pool = Pick<Database, 'query' | 'transaction'>

/** The end of a transaction. */
export const COMMIT = 'commit'

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/**
 * Runs `work` twice on one database. The first run stops before the statement that contains `statement`, and continues
 * when the second one has ended or waits for a lock: both have then decided before either has written. With `COMMIT` the
 * first run stops at the end of its transaction, whose writes the second one does not see. `owner` sees the waits of all
 * connections.
 */
export async function overtakenWrite<Db extends Pool, Result>(
  { db, owner, statement }: { readonly db: Db; readonly owner: Sql; readonly statement: string },
  work: (db: Db) => Promise<Result>,
): Promise<[Result, Result]> {
  let arrived = false
  let release: () => void = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const stopAt = async (text: string): Promise<void> => {
    if (!text.includes(statement)) return
    arrived = true
    await isReleased
  }
  const stopping = (sql: Sql): Sql => ({
    query: async (text, values) => {
      await stopAt(text)
      return sql.query(text, values)
    },
  })
  const first = work({
    ...db,
    ...stopping(db),
    transaction: (inside) =>
      db.transaction(async (tx) => {
        const result = await inside(stopping(tx))
        await stopAt(COMMIT)
        return result
      }),
  })
  let hasEnded = false
  try {
    await waitFor(`the statement "${statement}"`, () => arrived)
    const second = work(db).finally(() => {
      hasEnded = true
    })
    await waitFor('the second run to end or to wait', async () => hasEnded || (await owner.query(WAITING)).length > 0)
    release()
    return await Promise.all([first, second])
  } finally {
    release()
  }
}
