import { fileURLToPath } from 'node:url'
import { openPostgres } from '#platform/postgres/database.ts'
import { withPostgresClient } from '#platform/postgres/one-connection.ts'
import { runSqlMigrations } from '../../scripts/sql-migrations.ts'
import { migrateCms } from '../../src/cms/migrate.ts'
import { IDENTITY_MIGRATIONS } from './identity-context.ts'
import { contentKey, createDatabase } from './postgres.ts'

const CONTROL_MIGRATIONS = 'control-plane/platform/migrations'
const absolute = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A database with all three schemas, as a deployment has it, and no content. */
export const createWholeDatabase = () =>
  createDatabase({
    key: `whole ${contentKey('src/cms/migrations', 'src/cms/migrate.ts', IDENTITY_MIGRATIONS, CONTROL_MIGRATIONS)}`,
    migrate: async (url) => {
      await migrateCms(url)
      await withPostgresClient(url, async (client) => {
        await runSqlMigrations(client, { schema: 'identity', folder: absolute(IDENTITY_MIGRATIONS) })
        await runSqlMigrations(client, { schema: 'control', folder: absolute(CONTROL_MIGRATIONS) })
      })
    },
  })

/** As the control plane connects: under the application role. */
export const openAsControlPlane = (url: string) =>
  openPostgres({ url, applicationName: 'test', maxConnections: 10, waitMs: 60_000, role: 'bakter_app' })
