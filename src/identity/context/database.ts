import { openPostgres, type Database, type Sql as PlatformSql } from '#platform/postgres/database.ts'

/** Anything that runs SQL: the pool, or one transaction. */
export type Sql = PlatformSql

/** The identity part's connection to PostgreSQL. */
export type IdentityDatabase = Database

/**
 * The statements of a crowd of sign-ins take well below a millisecond each and are then refused: one address that sends
 * a thousand at once displaces nobody else, because the wait itself is bounded too.
 */
const MAX_WAITING = 2_000

/**
 * Opens a pool on the database at `url`. A visitor waits for each of these statements, so they time out sooner than
 * those of jobs.
 */
export const openIdentityDatabase = (
  url: string,
  options: { maxConnections?: number; waitMs?: number; onIdleError?: (error: Error) => void } = {},
): IdentityDatabase =>
  openPostgres({
    url,
    applicationName: 'site-identity',
    waitMs: 2_000,
    statementTimeoutMs: 15_000,
    lockTimeoutMs: 5_000,
    maxWaiting: MAX_WAITING,
    ...options,
  })
