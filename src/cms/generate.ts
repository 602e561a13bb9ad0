import { generateImportMap } from 'payload'
import { generateTypes } from 'payload/node'
import config from '../../payload.config.ts'

/** `npm run generate:cms` writes the generated types and the admin's import map; a test compares both with the config. */
const generate = async (): Promise<void> => {
  const sanitized = await config
  await generateTypes(sanitized)
  await generateImportMap(sanitized)
}

await generate()
process.exit(0)
