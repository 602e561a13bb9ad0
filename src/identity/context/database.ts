import { openPostgres, type Database, type Sql as PlatformSql } from '#platform/postgres/database.ts'

/** Anything that runs SQL: the pool, or one transaction. */
export type Sql = PlatformSql

/** The identity part's connection to PostgreSQL. */
export type IdentityDatabase = Database

/**
 * Opens a pool on the database at `url`. Somebody waits in front of a page for each of these statements: they fail sooner than
 * those of a job.
 */
export const openIdentityDatabase = (
  url: string,
  options: { maxConnections?: number; onIdleError?: (error: Error) => void } = {},
): IdentityDatabase =>
  openPostgres({
    url,
    applicationName: 'site-identity',
    waitMs: 2_000,
    statementTimeoutMs: 15_000,
    lockTimeoutMs: 5_000,
    ...options,
  })
