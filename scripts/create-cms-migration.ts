// `npm run migrate:create -- name` writes the difference between the configuration and the newest snapshot as a migration.
process.env['DISABLE_PAYLOAD_HMR'] = 'true'
process.env['PAYLOAD_DISABLE_DEPENDENCY_CHECKER'] = 'true'

const migrationName = process.argv[2]
if (migrationName === undefined) {
  console.error('Say a name: npm run migrate:create -- add-something')
  process.exit(1)
}
const [{ getPayload }, { default: config }] = await Promise.all([import('payload'), import('../payload.config.ts')])
const payload = await getPayload({ config, disableDBConnect: true, disableOnInit: true })
await payload.db.createMigration({ migrationName, payload, skipEmpty: true })
process.exit(0)

export {}
