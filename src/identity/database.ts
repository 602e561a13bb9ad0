import pg from 'pg'

/** Anything that runs SQL: the pool, or one transaction. */
export interface Sql {
  /** Runs one statement and returns its rows. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** The identity part's connection to PostgreSQL. */
export interface IdentityDatabase extends Sql {
  /** Runs `work` in one READ COMMITTED transaction; an exception rolls it back. */
  transaction<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const queryOn =
  (client: pg.Pool | pg.PoolClient): Sql['query'] =>
  async <Row extends object>(text: string, values?: readonly unknown[]) =>
    (await client.query<Row & pg.QueryResultRow>(text, values ? [...values] : undefined)).rows

const runTransaction = async <Result>(pool: pg.Pool, work: (tx: Sql) => Promise<Result>): Promise<Result> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work({ query: queryOn(client) })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Opens a pool on the database at `url`. Nothing connects before the first statement.
 * `onIdleError` hears of connections that ended while nobody used them, as they do when PostgreSQL restarts.
 */
export const openIdentityDatabase = (
  url: string,
  {
    maxConnections = 10,
    onIdleError = () => {},
  }: { maxConnections?: number; onIdleError?: (error: Error) => void } = {},
): IdentityDatabase => {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: 'site-identity',
    connectionTimeoutMillis: 5_000,
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: 15_000,
    lock_timeout: 5_000,
  })
  pool.on('error', onIdleError)
  return {
    query: queryOn(pool),
    transaction: (work) => runTransaction(pool, work),
    close: () => pool.end(),
  }
}

/** The name of the unique index that refused a row, or undefined for any other failure. */
export const violatedUnique = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined
