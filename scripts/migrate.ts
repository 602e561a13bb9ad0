// The one ordered migration run: Payload's schema and the views on it, then identity, control, and the queue if it is
// in PostgreSQL. Takes DATABASE_URL and REDIS_URL from the environment and prints the name of each applied migration.
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { migrateQueueSchema } from '../control-plane/platform/queue-schema.ts'
import { migrateCms } from '../src/cms/migrate.ts'
import { MigrationRefused } from '../src/cms/migration-refused.ts'
import { DEMO_MAIL_DOMAIN } from './demo-mail-domain.ts'
import { runSqlMigrations } from './sql-migrations.ts'

/** All processes that migrate this database wait for one another here. */
const MIGRATION_LOCK = 727001
/** Exit code for faults that the user can fix: stderr then contains one sentence. */
const EX_CONFIG = 78
// The bundle is in dist/, the source in scripts/: both one folder below the repository.
const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

async function connectTo(connectionString: string): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString, application_name: 'migrate' })
  try {
    await connection.connect()
    return connection
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new MigrationRefused(`The database that DATABASE_URL names cannot be used: ${message || code}.`, {
      cause: error,
    })
  }
}

/** Migrates the database and returns the applied migrations in order. */
async function migrate(connectionString: string, queueInPostgres: boolean): Promise<string[]> {
  const connection = await connectTo(connectionString)
  const run = async (schema: string, path: string) =>
    (await runSqlMigrations(connection, { schema, folder: folder(path) })).map((name) => `${schema}/${name}`)
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const applied = [
      ...(await migrateCms(connectionString)).map((name) => `public/${name}`),
      ...(await run('identity', 'src/identity/migrations')),
      ...(await run('control', 'control-plane/platform/migrations')),
    ]
    if (queueInPostgres) await migrateQueueSchema(connectionString)
    return applied
  } finally {
    await connection.end()
  }
}

/** Demo accounts have known names and passwords in files on somebody's disk, so production does not start with them. */
async function demoAccounts(connectionString: string): Promise<string[]> {
  const connection = await connectTo(connectionString)
  try {
    const { rows } = await connection.query<{ username: string }>(
      'SELECT username FROM public.users WHERE email LIKE $1 ORDER BY username',
      [`%@${DEMO_MAIL_DOMAIN}`],
    )
    return rows.map((row) => row.username)
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
  const found = process.env['BAKTER_MODE'] === 'production' ? await demoAccounts(url) : []
  if (found.length > 0)
    console.error(`Production does not start with demo accounts (${found.join(', ')}): delete them first.`)
  process.exit(found.length > 0 ? 1 : 0)
} catch (error) {
  const isSentence = error instanceof MigrationRefused
  console.error(isSentence ? error.message : error)
  process.exit(isSentence ? EX_CONFIG : 1)
}
