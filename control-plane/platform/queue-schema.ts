import bullmq from 'bullmq'
import { withPostgresClient } from '#platform/postgres/one-connection.ts'

/** Brings the schema of the queue on PostgreSQL to the version of the library. Safe to run from several processes. */
export async function migrateQueueSchema(databaseUrl: string): Promise<void> {
  await withPostgresClient(databaseUrl, (client) => bullmq.runMigrations(client))
}
