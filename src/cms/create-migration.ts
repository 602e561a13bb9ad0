import { getPayload } from 'payload'
import config from '../../payload.config.ts'

/** `npm run migrate:create -- name` writes the difference between the config and the newest snapshot as a migration. */
const createMigration = async (migrationName: string | undefined): Promise<void> => {
  if (!migrationName) throw new Error('Say a name: npm run migrate:create -- add-something')
  const payload = await getPayload({ config, disableDBConnect: true, disableOnInit: true })
  await payload.db.createMigration({ migrationName, payload, skipEmpty: true })
}

await createMigration(process.argv[2])
process.exit(0)
