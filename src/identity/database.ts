import pg from 'pg'

/** Anything that runs SQL: the pool, or one transaction. */
export interface Sql {
  /** Runs one statement and returns its rows. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export type Listener = {
  readonly onMessage: (payload: string) => void
  /** Notifications may have been missed: the connection stands, and did not stand before. */
  readonly onGap: () => void
}

/** A statement whose text never changes: PostgreSQL parses and plans it once for each connection that uses it. */
export type PreparedStatement = { readonly name: string; readonly text: string }

/** The identity part's connection to PostgreSQL. */
export interface IdentityDatabase extends Sql {
  /** Runs one prepared statement outside any transaction, in one round trip, and returns its rows. */
  prepared<Row extends object>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]>
  /** Runs `work` in one READ COMMITTED transaction; an exception rolls it back. */
  transaction<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>
  /** Hears a channel on a connection of its own, which is made anew as often as it is lost. Returns what ends it. */
  listen(channel: string, listener: Listener): () => Promise<void>
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

const RECONNECT_MS = 500
/** A listening connection says nothing by itself: asked this often, one whose other end is gone is noticed. */
const PROBE_MS = 10_000

const listenOn = (url: string, channel: string, { onMessage, onGap }: Listener): (() => Promise<void>) => {
  let isClosed = false
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'site-listen',
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    })
    const isCurrent = () => !isClosed && current === client
    const lost = () => {
      if (!isCurrent()) return
      current = undefined
      clearTimeout(timer)
      timer = setTimeout(() => void connect(), RECONNECT_MS)
      // Without waiting: the end of a connection to a server that is gone is never told.
      void client.end().catch(() => {})
    }
    const probe = async (): Promise<void> => {
      await client.query('select 1')
      if (isCurrent()) timer = setTimeout(() => void probe().catch(lost), PROBE_MS)
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    current = client
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (isCurrent()) onGap()
      await probe()
    } catch {
      lost()
    }
  }
  void connect()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await current?.end().catch(() => {})
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
    prepared: async <Row extends object>({ name, text }: PreparedStatement, values: readonly unknown[]) =>
      (await pool.query<Row & pg.QueryResultRow>({ name, text, values: [...values] })).rows,
    transaction: (work) => runTransaction(pool, work),
    listen: (channel, listener) => listenOn(url, channel, listener),
    close: () => pool.end(),
  }
}

/** The name of the unique index that refused a row, or undefined for any other failure. */
export const violatedUnique = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined
