import { join } from 'node:path'

import { startEmbeddedPostgres } from './embedded-postgres.mjs'
import { freePort } from './free-port.mjs'
import { progress } from './progress.mjs'

const NAME = 'bakter'
// How long the server outlives a killed supervisor while programs are connected: long enough for them to finish. It
// ends as soon as they have disconnected.
const GRACE_MS = 35_000
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000

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

/** Keeps one server running: after an unexpected end it is restarted on the same port, with growing delays. */
class KeptPostgres {
  #options
  #server
  #starting
  #timer
  #stopping = false

  constructor(options) {
    this.#options = options
  }

  start() {
    this.#starting = startEmbeddedPostgres(this.#options).then((server) => {
      this.#server = server
      void server.ended.then(() => this.#startAgain(FIRST_DELAY_MS))
      return server
    })
    return this.#starting
  }

  #startAgain(delayMs) {
    if (this.#stopping) return
    console.log(
      `PostgreSQL ended unexpectedly; starting it again in ${delayMs / 1_000} s. Log: ${this.#options.logFile}`,
    )
    this.#timer = setTimeout(
      () => this.start().catch(() => this.#startAgain(Math.min(delayMs * 2, LONGEST_DELAY_MS))),
      delayMs,
    )
  }

  async stop() {
    this.#stopping = true
    clearTimeout(this.#timer)
    // A server that is just starting is awaited, because it would otherwise stay.
    await this.#starting?.catch(() => {})
    await this.#server?.stop()
  }
}

/**
 * The demo's database: the one in DATABASE_URL, or an embedded server in `<data>/postgres`. Resolves with its
 * connection string. `onStop` receives its stop function before it is started.
 */
export async function openDatabase({ settings, secrets, onStop }) {
  if (settings.databaseUrl !== undefined) return settings.databaseUrl
  return progress('PostgreSQL', async () => {
    const postgres = new KeptPostgres({
      dataDir: join(settings.dataDir, 'postgres'),
      port: await freePort(),
      password: secrets.postgresPassword,
      logFile: join(settings.dataDir, 'postgres.log'),
      graceMs: GRACE_MS,
      settings: { max_connections: 200, log_min_messages: 'warning' },
    })
    onStop(() => postgres.stop())
    const server = await postgres.start()
    await createIfMissing(server.url('postgres'))
    return server.url(NAME)
  })
}
