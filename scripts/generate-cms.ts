// Writes the CMS's generated types and the admin's import map; a test compares both with the configuration.
process.env['DISABLE_PAYLOAD_HMR'] = 'true'
process.env['PAYLOAD_DISABLE_DEPENDENCY_CHECKER'] = 'true'

// Only now: Payload reads the environment while its modules load.
const [{ generateImportMap }, { generateTypes }, { default: promised }] = await Promise.all([
  import('payload'),
  import('payload/node'),
  import('../payload.config.ts'),
])
const config = await promised
await generateTypes(config)
await generateImportMap(config)
process.exit(0)

export {}
