import { join } from 'node:path'

import { startEmbeddedPostgres } from './embedded-postgres.mjs'
import { freePort } from './free-port.mjs'
import { progress } from './progress.mjs'

const NAME = 'bakter'
// How long the server outlives a supervisor that was killed: the programs notice within 10 s and end in order.
const GRACE_MS = 20_000

async function createIfMissing(adminUrl) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [NAME])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME} TEMPLATE template0`)
  } finally {
    await client.end()
  }
}

/**
 * The database of the demo: the one that DATABASE_URL names, or an embedded server in `<data>/postgres`.
 * Resolves with its connection string and how it is stopped.
 */
export async function openDatabase({ settings, secrets }) {
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, stop: async () => {} }
  return progress('Starting PostgreSQL', async () => {
    const server = await startEmbeddedPostgres({
      dataDir: join(settings.dataDir, 'postgres'),
      port: await freePort(),
      password: secrets.postgresPassword,
      logFile: join(settings.dataDir, 'postgres.log'),
      graceMs: GRACE_MS,
      settings: { max_connections: 200, log_min_messages: 'warning' },
    })
    await createIfMissing(server.url('postgres'))
    return { url: server.url(NAME), stop: server.stop }
  })
}
