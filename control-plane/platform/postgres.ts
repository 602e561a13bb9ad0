import type { Writable } from 'node:stream'
import pg from 'pg'

/** Anything that runs SQL: the pool, or one transaction. */
export interface Sql {
  /**
   * Runs one statement and returns its rows. bigint columns arrive as bigint. In a transaction statements run in the order of the calls, and
   * those that are begun without waiting for one another share a round trip.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Database extends Sql {
  /** Runs `work` in one READ COMMITTED transaction; deadlocks and serialization failures are retried with jitter. */
  transaction<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>
  /** A dedicated connection that LISTENs. Reconnects by itself; `onGap` tells that notifications may be missing. */
  listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

const RETRYABLE = new Set(['40001', '40P01'])
const PASSING = new Set([...RETRYABLE, '55P03'])
const MAX_ATTEMPTS = 5

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? (text: string) => BigInt(text)
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const sqlCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Whether PostgreSQL refused the values themselves (classes 22 and 23), so that a repetition is refused as well. */
export const isRefusedValue = (error: unknown): boolean => /^2[23]/.test(sqlCode(error) ?? '')

/**
 * Whether others did something at the same moment (serialization, deadlock, a lock that was not free in time): the same work may
 * succeed a moment later, in a transaction of its own.
 */
export const isPassing = (error: unknown): boolean => PASSING.has(sqlCode(error) ?? '')

/** Whether PostgreSQL refused a value that another row has already. */
export const isTakenValue = (error: unknown): boolean => sqlCode(error) === '23505'

const queryOn =
  (client: pg.Pool | pg.PoolClient): Sql['query'] =>
  async <Row extends object>(text: string, values?: readonly unknown[]) =>
    (await client.query<Row & pg.QueryResultRow>(text, values ? [...values] : undefined)).rows

type Transacting = { readonly query: Sql['query']; end(): void }

/**
 * Statements of one transaction, where those that are begun in one turn leave with one write. What comes after its end is refused: the
 * connection may be somebody else's by then.
 */
function transacting(client: pg.PoolClient & { connection?: { stream: Writable } }): Transacting {
  const query = queryOn(client)
  const stream = client.connection?.stream
  let [isGathering, isOver] = [false, false]
  return {
    query: (text, values) => {
      if (isOver) return Promise.reject(new Error('A statement came after the end of its transaction.'))
      if (stream && !isGathering) {
        isGathering = true
        stream.cork()
        process.nextTick(() => {
          isGathering = false
          stream.uncork()
        })
      }
      return query(text, values)
    },
    end: () => {
      isOver = true
    },
  }
}

async function runTransaction<Result>(pool: pg.Pool, work: (tx: Sql) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that is lost between two statements says so by this event, which ends the process when nobody listens;
  // the next statement fails anyway.
  const onLost = (error: Error) => {
    broken = error
  }
  client.on('error', onLost)
  const tx = transacting(client)
  try {
    // It leaves with the first statement.
    const begun = tx.query('begin')
    begun.catch(() => {})
    const result = await work({ query: tx.query })
    await begun
    tx.end()
    await client.query('commit')
    return result
  } catch (error) {
    tx.end()
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    client.off('error', onLost)
    client.release(broken)
  }
}

const RECONNECT_MS = 500
const LISTEN_TIMEOUT_MS = 5_000
/** A listening connection says nothing by itself: asked this often, one whose other end is gone is noticed. */
const PROBE_MS = 10_000

async function listenOn(
  url: string,
  channel: string,
  handlers: { onMessage: (payload: string) => void; onGap: () => void },
) {
  let closed = false
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const connect = async (again: boolean): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: `listen:${channel}`,
      connectionTimeoutMillis: LISTEN_TIMEOUT_MS,
      query_timeout: LISTEN_TIMEOUT_MS,
    })
    const isCurrent = () => !closed && current === client
    // A refused connection is told by its error and by its end: only the first is followed by another one.
    const lost = () => {
      if (!isCurrent()) return
      current = undefined
      clearTimeout(timer)
      timer = setTimeout(() => void connect(true), RECONNECT_MS)
      // Without waiting: the end of a connection to a server that is gone is never told.
      void client.end().catch(() => {})
    }
    const probe = async (): Promise<void> => {
      await client.query('select 1')
      if (isCurrent()) timer = setTimeout(() => void probe().catch(lost), PROBE_MS)
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', (message) => handlers.onMessage(message.payload ?? ''))
    current = client
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (again && isCurrent()) handlers.onGap()
      await probe()
    } catch (error) {
      if (again) return lost()
      closed = true
      clearTimeout(timer)
      void client.end().catch(() => {})
      throw error
    }
  }
  await connect(false)
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await current?.end().catch(() => {})
    },
  }
}

export type PostgresOptions = {
  url: string
  applicationName: string
  maxConnections?: number
  /** The role that every connection of the pool takes at its start, so that it has that role's rights and no more. */
  role?: string
  onIdleError?: (error: Error) => void
}

/** Opens a pool on PostgreSQL. Nothing is connected before the first statement. */
export function openPostgres({
  url,
  applicationName,
  maxConnections = 10,
  role,
  onIdleError = () => {},
}: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: applicationName,
    ...(role === undefined ? {} : { options: `-c role=${role}` }),
    connectionTimeoutMillis: 10_000,
    pipeline: true,
    // A frozen process lets go of its rows in time for another to take over.
    idle_in_transaction_session_timeout: 15_000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    types,
  })
  // A pool without this listener ends the process when PostgreSQL restarts.
  pool.on('error', onIdleError)
  return {
    query: queryOn(pool),
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runTransaction(pool, work)
        } catch (error) {
          if (attempt >= MAX_ATTEMPTS || !RETRYABLE.has(sqlCode(error) ?? '')) throw error
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
        }
      }
    },
    listen: (channel, onMessage, onGap) => listenOn(url, channel, { onMessage, onGap }),
    close: () => pool.end(),
  }
}

/** One connection of its own for work that needs a session, such as a migration under an advisory lock. */
export async function withPostgresClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'migration', types })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
