import bullmq from 'bullmq'
import { withPostgresClient } from '#platform/postgres/one-connection.ts'

/** Migrates the queue's schema on PostgreSQL to the library's version. Safe to run from several processes. */
export async function migrateQueueSchema(databaseUrl: string): Promise<void> {
  await withPostgresClient(databaseUrl, (client) => bullmq.runMigrations(client))
}
