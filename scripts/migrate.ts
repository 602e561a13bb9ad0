// The one ordered migration run: Payload's schema and views, then identity, control, and the queue when it lives in
// PostgreSQL. Takes DATABASE_URL and REDIS_URL from the environment; prints the name of each migration that it ran.
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { migrations as cmsMigrations } from '../src/cms/migrations/index.ts'
import { migrateIdentity } from '../src/identity/migrate.ts'
import { runSqlMigrations } from './sql-migrations.ts'

/** Every process that migrates this database waits here for the one that does. */
const MIGRATION_LOCK = 727001
// The bundle lies in dist/, the source in scripts/: both are one folder below the repository.
const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

async function cmsIsCurrent(connection: pg.Client): Promise<boolean> {
  const { rows } = await connection.query<{ found: string | null }>(
    "SELECT to_regclass('public.payload_migrations') AS found",
  )
  if (rows[0]?.found === null) return false
  const done = await connection.query<{ name: string }>('SELECT name FROM public.payload_migrations')
  const names = new Set(done.rows.map((row) => row.name))
  return cmsMigrations.every((migration) => names.has(migration.name))
}

async function migrateCms(): Promise<void> {
  // Only here: loading the configuration boots half of the CMS.
  const [{ getPayload }, { default: config }] = await Promise.all([import('payload'), import('../payload.config.ts')])
  const payload = await getPayload({ config, disableOnInit: true })
  await payload.db.migrate({
    migrations: cmsMigrations as NonNullable<Parameters<typeof payload.db.migrate>[0]>['migrations'] & object,
  })
  await payload.destroy()
}

/** Brings the database to the present state and returns what was done, in order. */
async function migrate(connectionString: string, queueInPostgres: boolean): Promise<string[]> {
  const connection = new pg.Client({ connectionString, application_name: 'migrate' })
  await connection.connect()
  const applied: string[] = []
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    if (!(await cmsIsCurrent(connection))) {
      await migrateCms()
      applied.push('public')
    }
    const identity = await migrateIdentity(connectionString, folder('src/identity/migrations'))
    applied.push(...identity.map((name) => `identity/${name}`))
    const control = await runSqlMigrations(connection, {
      schema: 'control',
      folder: folder('control-plane/store/migrations'),
    })
    applied.push(...control.map((name) => `control/${name}`))
    if (queueInPostgres) {
      const { default: bullmq } = await import('bullmq')
      await bullmq.runMigrations(connection)
    }
  } finally {
    await connection.end()
  }
  return applied
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
