import { migrateCms } from '../../src/cms/migrate.ts'
import { contentKey, createDatabase, type TestDatabase } from './postgres.ts'

/** A database of its own with the CMS's schema and no content. */
export const createCmsDatabase = (): Promise<TestDatabase> =>
  createDatabase({
    key: `cms ${contentKey('src/cms/migrations', 'src/cms/migrate.ts')}`,
    migrate: async (url) => {
      await migrateCms(url)
    },
  })
