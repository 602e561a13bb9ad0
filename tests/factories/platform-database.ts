import { fileURLToPath } from 'node:url'
import type { Context } from '../../control-plane/platform/context.ts'
import { systemIds } from '#platform/ids.ts'
import { silentLog } from '#platform/logger.ts'
import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { migrateQueueSchema } from '../../control-plane/platform/queue-schema.ts'
import { runSqlMigrations } from '../../scripts/sql-migrations.ts'
import { contentKey, createDatabase } from '../support/postgres.ts'
import { CMS_API_STAND_IN } from './cms-api-stand-in.ts'
import { withPostgresClient } from '#platform/postgres/one-connection.ts'

const MIGRATIONS = fileURLToPath(new URL('../../control-plane/platform/migrations', import.meta.url))

/** `db` has the rights of the control plane, `owner` those of migrations. */
export type PlatformDatabase = { url: string; db: Database; owner: Database; close(): Promise<void> }

/** A database with schema `control`, the queue's schema, and tables that stand in for the views of the CMS. */
export async function platformDatabase(maxConnections = 20): Promise<PlatformDatabase> {
  const database = await createDatabase({
    key: `platform:${contentKey('control-plane/platform/migrations', 'tests/factories/cms-api-stand-in.ts')}`,
    migrate: async (url) => {
      await withPostgresClient(url, async (client) => {
        await client.query(CMS_API_STAND_IN)
        await runSqlMigrations(client, { schema: 'control', folder: MIGRATIONS })
      })
      await migrateQueueSchema(url)
    },
  })
  // Many at once take their turns, also where the machine is busy.
  const pool = { url: database.url, applicationName: 'test', waitMs: 60_000 }
  const db = openPostgres({ ...pool, maxConnections, role: 'bakter_app' })
  const owner = openPostgres({ ...pool, maxConnections: 2 })
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

/** A context on a real database with the system's clock unless another is given. */
export function testContext(db: Database, overrides: Partial<Context> = {}): Context {
  return { db, clock: { now: () => Date.now() }, ids: systemIds, faults: async () => {}, log: silentLog, ...overrides }
}
