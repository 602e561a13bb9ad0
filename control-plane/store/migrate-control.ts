import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrateQueueSchema } from '../platform/queue-schema.ts'
import { withPostgresClient } from '../platform/postgres.ts'

export type MigrateControlOptions = {
  databaseUrl: string
  /** Folder of the NNNN_name.sql files: a bundle has no source tree beside it, so its caller says where they are. */
  folder: string
  /** Whether the queue lives in PostgreSQL, so that its schema is brought up to date as well. */
  queueOnPostgres: boolean
}

/** Runs the migrations of schema `control` that are missing, each in a transaction of its own. Returns their names. */
export async function migrateControl({
  databaseUrl,
  folder,
  queueOnPostgres,
}: MigrateControlOptions): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  const applied = await withPostgresClient(databaseUrl, async (client) => {
    // Session lock: a second migrator waits here and then finds nothing to do.
    await client.query('select pg_advisory_lock(727002)')
    await client.query('create schema if not exists control')
    await client.query(
      'create table if not exists control.migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from control.migrations')
    const known = new Set(rows.map((row) => row.name))
    const missing = files.filter((name) => !known.has(name))
    for (const name of missing) {
      const sql = await readFile(join(folder, name), 'utf8')
      await client.query('begin')
      try {
        await client.query(sql)
        await client.query('insert into control.migrations (name) values ($1)', [name])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        })
      }
    }
    return missing
  })
  if (queueOnPostgres) await migrateQueueSchema(databaseUrl)
  return applied
}
