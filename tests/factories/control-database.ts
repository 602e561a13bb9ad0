import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { sqlFilesIn } from '../../scripts/sql-migrations.ts'
import { contentKey, createDatabase } from '../support/postgres.ts'

const MIGRATIONS = fileURLToPath(new URL('../../control-plane/platform/migrations', import.meta.url))

export const APPLICATION_ROLE = 'bakter_app'

async function migrate(url: string, before: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create schema control')
    await client.query(before)
    for (const file of sqlFilesIn(MIGRATIONS)) await client.query(readFileSync(`${MIGRATIONS}/${file}`, 'utf8'))
  } finally {
    await client.end()
  }
}

export type ControlDatabase = {
  readonly url: string
  /** As the control plane connects: under the application role. */
  readonly db: Database
  /** As the owner of the schema: what migrations and operators are. */
  readonly owner: Database
  close(): Promise<void>
}

/** A fresh database with schema `control`. `before` runs ahead of the migrations, for what other programs own. */
export async function controlDatabase({ before = '', maxConnections = 20 } = {}): Promise<ControlDatabase> {
  const key = `control:${contentKey('control-plane/platform/migrations')}:${before}`
  const database = await createDatabase({ key, migrate: (url) => migrate(url, before) })
  // A hundred at once take their turns, also where the machine is busy.
  const pool = { applicationName: 'test', maxConnections, waitMs: 60_000 }
  const open = (role?: string) => openPostgres({ ...pool, url: database.url, ...(role ? { role } : {}) })
  const db = open(APPLICATION_ROLE)
  const owner = open()
  return {
    url: database.url,
    db,
    owner,
    close: async () => {
      await db.close()
      await owner.close()
      await database.drop()
    },
  }
}
