import { openPostgres, type Database, type Sql as PlatformSql } from '#platform/postgres/database.ts'

/** Anything that runs SQL: the pool, or one transaction. */
export type Sql = PlatformSql

/** The identity part's connection to PostgreSQL. */
export type IdentityDatabase = Database

/**
 * A crowd of sign-ins costs a statement of well below a millisecond each, to be refused: one address that sends a thousand at
 * once takes nobody else's place, because the wait itself is bounded too.
 */
const MAX_WAITING = 2_000

/**
 * Opens a pool on the database at `url`. A person waits for the page behind each of these statements, so they fail sooner
 * than those of a job.
 */
export const openIdentityDatabase = (
  url: string,
  options: { maxConnections?: number; onIdleError?: (error: Error) => void } = {},
): IdentityDatabase =>
  openPostgres({
    ...{ url, applicationName: 'site-identity', waitMs: 2_000, statementTimeoutMs: 15_000, lockTimeoutMs: 5_000 },
    maxWaiting: MAX_WAITING,
    ...options,
  })
