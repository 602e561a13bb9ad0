import type { Writable } from 'node:stream'
import pg from 'pg'
import { Overloaded } from '../overloaded.ts'
import { columnTypes } from './column-types.ts'
import { listenOn, type ListenHandlers, type Listening } from './listening.ts'
import { isRetryable, isStalePlan, isBehindFailure } from './sql-state.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

/** Anything that runs SQL: the pool, or one transaction. */
export interface Sql {
  /**
   * Runs one statement and returns its rows. bigint columns arrive as bigint. In a transaction statements run in the
   * order of the calls, and those started without awaiting one another share a round trip. A repeated text is prepared.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** A statement with constant text: PostgreSQL parses and plans it once per connection. */
export type PreparedStatement = { readonly name: string; readonly text: string }

/**
 * A program's connections to PostgreSQL. A statement that gets no connection in time fails with Overloaded before it
 * has begun.
 */
export interface Database extends Sql {
  /** Runs one prepared statement outside any transaction, in one round trip, and returns its rows. */
  prepared<Row extends object>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]>
  /**
   * Runs `work` in one READ COMMITTED transaction; an exception rolls it back. After a deadlock, a serialization failure
   * or a migration that outdated a prepared statement it runs again, so its side effects outside of the transaction may
   * repeat.
   */
  transaction<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>
  /** Listens to a channel on a separate connection, which is reopened whenever it is lost. */
  listen(channel: string, handlers: ListenHandlers): Listening
  close(): Promise<void>
}

export type PostgresOptions = {
  readonly url: string
  readonly applicationName: string
  readonly maxConnections?: number
  /** How long a statement waits for a connection. */
  readonly waitMs?: number
  /** How many may wait at once; the next one is refused immediately. */
  readonly maxWaiting?: number
  readonly statementTimeoutMs?: number
  readonly lockTimeoutMs?: number
  /** The role that every connection of the pool assumes at its start, which limits its rights. */
  readonly role?: string
  /** Receives idle connections that ended, for example when PostgreSQL restarts. */
  readonly onIdleError?: (error: Error) => void
}

const MAX_ATTEMPTS = 5
const FIRST_PAUSE_MS = 40
/** A frozen process releases its rows in time for another to take over. */
const IDLE_IN_TRANSACTION_MS = 15_000
/** Longer than the pause between two bursts: connections opened during a burst cost the most. */
const IDLE_CONNECTION_MS = 60_000

const TOO_MANY_CONNECTIONS = '53300'
/** pg gives these failures no code. */
const NO_CONNECTION = /^(?:timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/

const asOverloaded = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  return code === TOO_MANY_CONNECTIONS || NO_CONNECTION.test(error.message)
    ? new Overloaded('The database has no connection to spare.', { cause: error })
    : error
}

/** A text without values may hold several statements, or one that cannot be prepared. */
const isRepeatable = (text: string, values: readonly unknown[]): boolean =>
  values.length > 0 || (text.startsWith('select ') && !text.includes(';'))

const queryOn =
  (client: pg.Pool | pg.PoolClient, names: StatementNames): Sql['query'] =>
  async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    const name = isRepeatable(text, values) ? names.nameOf(text) : undefined
    try {
      return (await client.query<Row & pg.QueryResultRow>({ ...(name && { name }), text, values: [...values] })).rows
    } catch (error) {
      if (isStalePlan(error)) names.renew()
      throw error
    }
  }

/** Runs a single statement once more after a stale plan, which has changed nothing. */
const unlessStale =
  (query: Sql['query']): Sql['query'] =>
  async (text, values) => {
    try {
      return await query(text, values)
    } catch (error) {
      if (isStalePlan(error)) return query(text, values)
      throw error
    }
  }

const preparedOn =
  (pool: pg.Pool): Database['prepared'] =>
  async <Row extends object>(statement: PreparedStatement, values: readonly unknown[]) =>
    (await pool.query<Row & pg.QueryResultRow>({ ...statement, values: [...values] })).rows

type Transacting = { readonly query: Sql['query']; end(): void }

/**
 * Statements that were sent together report the failure that undid them all. PostgreSQL says of those behind it only that
 * the transaction is aborted, and a caller who hears of these first could not tell whether to run it again.
 */
const explaining = (query: Sql['query']): Sql['query'] => {
  let cause: unknown
  return async <Row extends object>(text: string, values?: readonly unknown[]) => {
    try {
      const rows = await query<Row>(text, values)
      if (text.startsWith('rollback to ')) cause = undefined
      return rows
    } catch (error) {
      if (cause !== undefined && isBehindFailure(error)) throw cause
      cause = error
      throw error
    }
  }
}

/**
 * Statements of one transaction; those started in one turn of the event loop leave in one write. Statements after its
 * end are refused, because the connection may already serve somebody else.
 */
const transacting = (
  client: pg.PoolClient & { connection?: { stream: Writable } },
  names: StatementNames,
): Transacting => {
  const query = explaining(queryOn(client, names))
  const stream = client.connection?.stream
  let [isGathering, isOver] = [false, false]
  return {
    query: <Row extends object>(text: string, values?: readonly unknown[]) => {
      if (isOver) return Promise.reject(new Error('A statement came after the end of its transaction.'))
      if (stream && !isGathering) {
        isGathering = true
        stream.cork()
        process.nextTick(() => {
          isGathering = false
          stream.uncork()
        })
      }
      const answer = query<Row>(text, values)
      // A lost connection rejects every statement that waits, and the caller may await only the first. No failure is lost:
      // a transaction with a failed statement is never committed.
      answer.catch(() => {})
      return answer
    },
    end: () => {
      isOver = true
    },
  }
}

const runTransaction = async <Result>(
  { client, names }: { client: pg.PoolClient; names: StatementNames },
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> => {
  let broken: Error | undefined
  // A connection lost between two statements emits this event, which would end the process without a listener; the next
  // statement fails anyway.
  const onLost = (error: Error) => {
    broken = error
  }
  client.on('error', onLost)
  const tx = transacting(client, names)
  try {
    // It is sent with the first statement.
    const begun = tx.query('begin')
    begun.catch(() => {})
    const result = await work({ query: tx.query })
    await begun
    tx.end()
    const { command } = await client.query('commit')
    // PostgreSQL commits nothing after a failed statement, and does not call that an error.
    if (command !== 'COMMIT') throw new Error('The transaction was undone: the failure of a statement was ignored.')
    return result
  } catch (error) {
    tx.end()
    // A statement on a lost connection says only that it cannot be sent. The reason came before.
    const reason = broken ?? error
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw reason
  } finally {
    client.off('error', onLost)
    client.release(broken)
  }
}

const openPool = (options: PostgresOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    types: columnTypes,
    ...(options.role === undefined ? {} : { options: `-c role=${options.role}` }),
    max: options.maxConnections ?? 10,
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: options.waitMs ?? 5_000,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: options.lockTimeoutMs ?? 10_000,
  })
  // Without this listener a restart of PostgreSQL ends the process.
  pool.on('error', options.onIdleError ?? (() => {}))
  return pool
}

/** Opens a pool on PostgreSQL. It connects at the first statement. */
export const openPostgres = (options: PostgresOptions): Database => {
  const [pool, names] = [openPool(options), createStatementNames()]
  const query = unlessStale(queryOn(pool, names))
  const { maxWaiting = 500 } = options
  const withRoom = async <Result>(take: () => Promise<Result>): Promise<Result> => {
    if (pool.waitingCount >= maxWaiting) throw new Overloaded('Too many statements wait for a connection.')
    try {
      return await take()
    } catch (error) {
      throw asOverloaded(error)
    }
  }
  return {
    query: (text, values) => withRoom(() => query(text, values)),
    prepared: (statement, values) => withRoom(() => preparedOn(pool)(statement, values)),
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runTransaction({ client: await withRoom(() => pool.connect()), names }, work)
        } catch (error) {
          if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error
          await new Promise((resolve) => setTimeout(resolve, Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1)))
        }
      }
    },
    listen: (channel, handlers) => listenOn(options.url, channel, handlers),
    close: () => pool.end(),
  }
}
