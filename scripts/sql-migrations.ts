import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

import { MigrationRefused, refuseNewer } from '../src/cms/migration-refused.ts'

/** The part of a PostgreSQL connection that migrations need. */
export interface MigrationConnection {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

export interface SqlMigrations {
  /** Schema that the files fill; its table `migrations` records them. Both are created if missing. */
  schema: string
  /** Folder of the files `NNNN_name.sql`, optionally in sub-folders; a missing folder counts as empty. */
  folder: string
}

/**
 * The migrations of a folder and its sub-folders, as relative paths, in the order of their names: the number decides,
 * not the sub-folder.
 */
export const sqlFilesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))

/**
 * Runs new files in the order of their names, each in its own transaction. Returns their names. Throws when an applied
 * file was changed or has disappeared: code and database then disagree. The caller holds the migration lock.
 */
export async function runSqlMigrations(connection: MigrationConnection, { schema, folder }: SqlMigrations) {
  if (!existsSync(folder)) return []
  await connection.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  await connection.query(
    `CREATE TABLE IF NOT EXISTS ${schema}.migrations (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
  const { rows } = await connection.query(`SELECT name, sha256 FROM ${schema}.migrations`)
  const recorded = new Map(rows.map((row) => [String(row['name']), String(row['sha256'])]))
  const paths = new Map(sqlFilesIn(folder).map((path) => [basename(path), path]))
  const names = [...paths.keys()]
  refuseNewer([...recorded.keys()].filter((name) => !names.includes(name)).map((name) => `${schema}/${name}`))
  const applied: string[] = []
  for (const name of names) {
    const text = readFileSync(join(folder, paths.get(name) ?? name), 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    const before = recorded.get(name)
    if (before !== undefined && before !== sha256) {
      throw new MigrationRefused(`${schema}/${name} was changed after it had run. Write a new migration instead.`)
    }
    if (before !== undefined) continue
    await connection.query('BEGIN')
    try {
      await connection.query(text)
      await connection.query(`INSERT INTO ${schema}.migrations (name, sha256) VALUES ($1, $2)`, [name, sha256])
      await connection.query('COMMIT')
    } catch (error) {
      await connection.query('ROLLBACK')
      throw new Error(`${schema}/${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
    applied.push(name)
  }
  return applied
}
