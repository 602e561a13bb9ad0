// The one ordered migration run: Payload's schema and the views on it, then identity, control, and the queue when it lives
// in PostgreSQL. Takes DATABASE_URL and REDIS_URL from the environment and prints the name of each migration that it ran.
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { migrateQueueSchema } from '../control-plane/platform/queue-schema.ts'
import { migrateCms } from '../src/cms/migrate.ts'
import { runSqlMigrations } from './sql-migrations.ts'

/** Every process that migrates this database waits here for the one that does. */
const MIGRATION_LOCK = 727001
// The bundle lies in dist/, the source in scripts/: both are one folder below the repository.
const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Brings the database to the present state and returns what was done, in order. */
async function migrate(connectionString: string, queueInPostgres: boolean): Promise<string[]> {
  const connection = new pg.Client({ connectionString, application_name: 'migrate' })
  await connection.connect()
  const run = async (schema: string, path: string) =>
    (await runSqlMigrations(connection, { schema, folder: folder(path) })).map((name) => `${schema}/${name}`)
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const applied = [
      ...(await migrateCms(connectionString)).map((name) => `public/${name}`),
      ...(await run('identity', 'src/identity/migrations')),
      ...(await run('control', 'control-plane/store/migrations')),
    ]
    if (queueInPostgres) await migrateQueueSchema(connectionString)
    return applied
  } finally {
    await connection.end()
  }
}

const url = process.env['DATABASE_URL']
if (url === undefined) {
  console.error('DATABASE_URL is missing.')
  process.exit(1)
}
try {
  for (const name of await migrate(url, !process.env['REDIS_URL'])) console.log(name)
  process.exit(0)
} catch (error) {
  console.error(error)
  process.exit(1)
}
