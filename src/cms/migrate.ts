import { type MigrateUpArgs, sql } from '@payloadcms/db-postgres'
import { drizzle } from '@payloadcms/db-postgres/drizzle/node-postgres'
import { v7 as uuidv7 } from 'uuid'
import { refuseNewer } from './migration-refused.ts'
import { type CmsMigration, migrations } from './migrations/index.ts'
import { SafePool } from './start/safe-pool.ts'

type Recorded = { name: string }

/**
 * Runs the CMS's new migrations, each in its own transaction, and returns their names. Payload itself is not started:
 * it would open a pool, and its own runner prompts on a terminal. The caller holds the lock under which all parts
 * migrate one after another.
 */
export const migrateCms = async (
  databaseUrl: string,
  list: readonly CmsMigration[] = migrations,
): Promise<string[]> => {
  const pool = new SafePool({ connectionString: databaseUrl, max: 1, application_name: 'migrate' })
  try {
    const seen = await recordedNames(pool)
    const known = new Set(list.map((migration) => migration.name))
    refuseNewer([...seen].filter((name) => !known.has(name)).map((name) => `public/${name}`))
    const pending = list.filter((migration) => !seen.has(migration.name))
    const db = drizzle(pool)
    for (const migration of pending) await runOne(db, migration, seen.size + 1)
    return pending.map((migration) => migration.name)
  } finally {
    await pool.end()
  }
}

type Database = ReturnType<typeof drizzle>

const recordedNames = async (pool: SafePool): Promise<Set<string>> => {
  const { rows } = await pool.query<{ found: string | null }>(
    `SELECT to_regclass('public.payload_migrations') AS found`,
  )
  if (!rows[0]?.found) return new Set()
  const recorded = await pool.query<Recorded>('SELECT name FROM public.payload_migrations')
  return new Set(recorded.rows.map((row) => row.name))
}

const runOne = (db: Database, migration: CmsMigration, batch: number): Promise<void> =>
  db.transaction(async (transaction) => {
    // The statements only need `execute`; the rest of Payload's arguments belongs to its own runner.
    await migration.up({ db: transaction } as unknown as MigrateUpArgs)
    await transaction.execute(
      sql`INSERT INTO public.payload_migrations (id, name, batch, updated_at, created_at)
        VALUES (${uuidv7()}, ${migration.name}, ${batch}, now(), now())`,
    )
  })
