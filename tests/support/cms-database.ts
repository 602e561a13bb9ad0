import { migrateCms } from '../../src/cms/migrate.ts'
import { IDENTITY_MIGRATIONS, migrateIdentity } from './identity-context.ts'
import { contentKey, createDatabase, type TestDatabase } from './postgres.ts'

/** A separate database with the schemas of the CMS and of identity, whose sessions end with roles, and no content. */
export const createCmsDatabase = (): Promise<TestDatabase> =>
  createDatabase({
    key: `cms ${contentKey('src/cms/migrations', 'src/cms/migrate.ts', IDENTITY_MIGRATIONS)}`,
    migrate: async (url) => {
      await migrateCms(url)
      await migrateIdentity(url)
    },
  })
