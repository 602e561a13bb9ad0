// `npm run keys -- rotate`: for the demo in the data folder, or with the environment of the site in production.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { readPrivately } from './data-folder.mjs'
import { Refusal, sentenceOf } from './preflight.mjs'
import { runStep } from './run-step.mjs'
import { settingsFrom } from './settings.mjs'

/** The port of the embedded server, from the fourth line of its pid file. */
function embeddedUrl(dataDir, password) {
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  if (!existsSync(pidFile))
    throw new Refusal('The database does not run: start Bakter first, the keys change while it runs.')
  const port = readFileSync(pidFile, 'utf8').split('\n')[3]
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/bakter`
}

/** The step's access to the database and its keys. */
function environment() {
  if (process.env.BAKTER_MODE === 'production') return process.env
  const { dataDir, databaseUrl } = settingsFrom(process.env)
  const secrets = readPrivately(join(dataDir, 'secrets.json'))
  if (secrets.secretsKey === undefined)
    throw new Refusal(`There is no installation in ${dataDir}: run npm start first.`)
  return {
    ...process.env,
    BAKTER_MODE: 'demo',
    DATABASE_URL: databaseUrl ?? embeddedUrl(dataDir, secrets.postgresPassword),
    INTERNAL_SECRET: secrets.internalSecret,
    PAYLOAD_SECRET: secrets.payloadSecret,
    SECRETS_KEY: secrets.secretsKey,
  }
}

try {
  if (process.argv[2] !== 'rotate' || process.argv.length > 3) throw new Refusal('Usage: npm run keys -- rotate')
  const isDevelopment = !existsSync('dist/keys.mjs')
  process.stdout.write(await runStep({ name: 'keys', env: environment(), isDevelopment }))
} catch (error) {
  console.error(sentenceOf(error))
  process.exitCode = 1
}
