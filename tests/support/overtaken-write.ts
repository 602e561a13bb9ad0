import type { Database, Sql } from '#platform/postgres/database.ts'
import { waitFor } from './wait-for.ts'

type Pool = Pick<Database, 'query' | 'transaction'>

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/**
 * Runs `work` twice on one database. The first run stops before the statement that contains `statement`, and continues
 * when the second one has ended or waits for a lock: both have then decided before either has written. `owner` sees the
 * waits of all connections.
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
  const stopping = (sql: Sql): Sql => ({
    query: async (text, values) => {
      if (text.includes(statement)) {
        arrived = true
        await isReleased
      }
      return sql.query(text, values)
    },
  })
  const first = work({ ...db, ...stopping(db), transaction: (inside) => db.transaction((tx) => inside(stopping(tx))) })
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
