import type { Writable } from 'node:stream'
import pg from 'pg'
import { Overloaded } from '../overloaded.ts'
import { columnTypes } from './column-types.ts'
import { listenOn, type ListenHandlers, type Listening } from './listening.ts'
import { isRetryable, isStalePlan } from './sql-state.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

/** Anything that runs SQL: the pool, or one transaction. */
export interface Sql {
  /**
   * Runs one statement and returns its rows. bigint columns arrive as bigint. In a transaction statements run in the order of the calls, and
   * those that are begun without waiting for one another share a round trip. A text that comes again with values is kept prepared.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** A statement whose text never changes: PostgreSQL parses and plans it once for each connection that uses it. */
export type PreparedStatement = { readonly name: string; readonly text: string }

/** A program's connections to PostgreSQL. What finds none in time fails with Overloaded, before it has begun. */
export interface Database extends Sql {
  /** Runs one prepared statement outside any transaction, in one round trip, and returns its rows. */
  prepared<Row extends object>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]>
  /**
   * Runs `work` in one READ COMMITTED transaction; an exception rolls it back. After a deadlock or a serialization failure, or when a
   * migration has outdated a prepared statement, it runs again, so that what it does outside of the transaction may happen more than once.
   * Statements that `work` has begun without waiting for them share the commit's round trip; one that fails fails the transaction.
   */
  transaction<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>
  /** Hears a channel on a connection of its own, which is made anew as often as it is lost. */
  listen(channel: string, handlers: ListenHandlers): Listening
  close(): Promise<void>
}

export type PostgresOptions = {
  readonly url: string
  readonly applicationName: string
  readonly maxConnections?: number
  /** How long a statement waits for a connection. */
  readonly waitMs?: number
  /** How many may wait at once; the next one is refused without waiting. */
  readonly maxWaiting?: number
  readonly statementTimeoutMs?: number
  readonly lockTimeoutMs?: number
  /** The role that every connection of the pool takes at its start, so that it has that role's rights and no more. */
  readonly role?: string
  /** Hears of connections that ended while nobody used them, as they do when PostgreSQL restarts. */
  readonly onIdleError?: (error: Error) => void
}

const MAX_ATTEMPTS = 5
const FIRST_PAUSE_MS = 40
/** A frozen process lets go of its rows in time for another to take over. */
const IDLE_IN_TRANSACTION_MS = 15_000
/** Longer than a pause between two bursts: connections that are made in a burst cost the most. */
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

/** Without values a text may be several statements, or one that cannot be prepared. */
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

/** A single statement that failed so has done nothing, and is run once more. */
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

/** `end` answers the statements that are still under way. */
type Transacting = { readonly query: Sql['query']; end(): Promise<unknown>[] }

/**
 * Statements of one transaction, where those that are begun in one turn leave with one write. What comes after its end is refused: the
 * connection may be somebody else's by then.
 */
const transacting = (
  client: pg.PoolClient & { connection?: { stream: Writable } },
  names: StatementNames,
): Transacting => {
  const query = queryOn(client, names)
  const stream = client.connection?.stream
  const underWay = new Set<Promise<unknown>>()
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
      const running = query<never>(text, values)
      const settled = () => underWay.delete(running)
      underWay.add(running)
      running.then(settled, settled)
      return running
    },
    end: () => {
      isOver = true
      return [...underWay]
    },
  }
}

const runTransaction = async <Result>(
  { client, names }: { client: pg.PoolClient; names: StatementNames },
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> => {
  let broken: Error | undefined
  // A connection that is lost between two statements says so by this event, which ends the process when nobody listens;
  // the next statement fails anyway.
  const onLost = (error: Error) => {
    broken = error
  }
  client.on('error', onLost)
  const tx = transacting(client, names)
  try {
    // It leaves with the first statement.
    const begun = tx.query('begin')
    begun.catch(() => {})
    const result = await work({ query: tx.query })
    // A statement that fails before the commit makes it a rollback.
    await Promise.all([begun, ...tx.end(), client.query('commit')])
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

const openPool = (options: PostgresOptions): pg.Pool => {
  const pool = new pg.Pool({
    ...{ connectionString: options.url, application_name: options.applicationName, types: columnTypes },
    ...(options.role === undefined ? {} : { options: `-c role=${options.role}` }),
    ...{ max: options.maxConnections ?? 10, keepAlive: true, pipeline: true },
    ...{ connectionTimeoutMillis: options.waitMs ?? 5_000, idleTimeoutMillis: IDLE_CONNECTION_MS },
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: options.lockTimeoutMs ?? 10_000,
  })
  // A pool without this listener ends the process when PostgreSQL restarts.
  pool.on('error', options.onIdleError ?? (() => {}))
  return pool
}

/** Opens a pool on PostgreSQL. Nothing is connected before the first statement. */
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
