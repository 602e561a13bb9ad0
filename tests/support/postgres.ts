import { createHash, randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { startEmbeddedPostgres } from '../../scripts/start/embedded-postgres.mjs'
import { freePort } from './free-port.ts'
import { PROGRAMS } from './test-program.ts'

/** Where test processes find the server that the run's global set-up started. */
const ADMIN_URL = 'BAKTER_TEST_POSTGRES'
const RUN_ID = 'BAKTER_TEST_RUN'
const PASSWORD = 'test'
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface TestPostgres {
  /** Connection string of the maintenance database. */
  adminUrl: string
  stop(): Promise<void>
}

export interface TestDatabase {
  name: string
  url: string
  /** Ends every connection to the database and removes it. */
  drop(): Promise<void>
}

export interface CreateDatabaseOptions {
  /** Names the migrations: databases of one key are copies of one template, made by the first that asks. */
  key: string
  /** Brings the empty template to the state that every copy starts with; all its connections must be closed on return. */
  migrate: (databaseUrl: string) => Promise<void>
}

/**
 * Starts a PostgreSQL server for this run. The data folder stays between runs so that templates are made once; a run that
 * finds the folder in use takes the next one. Sets the environment through which `createDatabase` finds the server.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const { folder, release } = takeFolder(join(ROOT, '.build', 'test-postgres'))
  try {
    const server = await startEmbeddedPostgres({
      dataDir: join(folder, 'data'),
      port: await freePort(),
      password: PASSWORD,
      logFile: join(folder, 'server.log'),
      durable: false,
      settings: { max_connections: 300 },
    })
    const adminUrl = server.url('postgres')
    process.env[ADMIN_URL] = adminUrl
    process.env[RUN_ID] = randomBytes(4).toString('hex')
    const programs = join(folder, 'programs')
    rmSync(programs, { recursive: true, force: true })
    process.env[PROGRAMS] = programs
    await dropLeftOvers(adminUrl)
    return {
      adminUrl,
      stop: async () => {
        await server.stop()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** Whether this run has its server already. */
export const isTestPostgresStarted = (): boolean => process.env[ADMIN_URL] !== undefined

/** Connection string of the run's server; throws when the test runs outside the integration project. */
export function testPostgresUrl(): string {
  const url = process.env[ADMIN_URL]
  if (url === undefined) throw new Error('No PostgreSQL server: this test belongs to tests/integration.')
  return url
}

let databases = 0

/** A fresh database of the run's server: empty, or a copy of the template of `options.key`. */
export async function createDatabase(options?: CreateDatabaseOptions): Promise<TestDatabase> {
  const adminUrl = testPostgresUrl()
  databases += 1
  const name = `run_${process.env[RUN_ID] ?? 'local'}_${process.pid}_${databases}`
  await withAdmin(adminUrl, async (admin) => {
    const template = options === undefined ? 'template0' : await ensureTemplate(admin, adminUrl, options)
    await admin.query(
      `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${options === undefined ? 'wal_log' : 'file_copy'}`,
    )
  })
  return {
    name,
    url: databaseUrl(adminUrl, name),
    drop: () =>
      withAdmin(adminUrl, async (admin) => void (await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  }
}

/** A key that changes whenever a file below the paths changes. Paths are relative to the repository. */
export function contentKey(...paths: string[]): string {
  const hash = createHash('sha256')
  const add = (path: string) => {
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path).sort()) add(join(path, entry))
    } else {
      hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0')
    }
  }
  for (const path of paths) add(resolve(ROOT, path))
  return hash.digest('hex')
}

async function ensureTemplate(admin: pg.Client, adminUrl: string, { key, migrate }: CreateDatabaseOptions) {
  const name = `tpl_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
  // One worker makes the template, the others wait for it.
  await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])
  try {
    const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount !== 0) return name
    const draft = `draft_${name}`
    await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${draft} TEMPLATE template0`)
    await migrate(databaseUrl(adminUrl, draft))
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [draft])
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
    return name
  } finally {
    await admin.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name])
  }
}

async function withAdmin<T>(adminUrl: string, use: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    return await use(admin)
  } finally {
    await admin.end()
  }
}

async function dropLeftOvers(adminUrl: string): Promise<void> {
  await withAdmin(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ datname: string }>(
      String.raw`SELECT datname FROM pg_database WHERE datname LIKE 'run\_%' OR datname LIKE 'draft\_%'`,
    )
    for (const { datname } of rows) await admin.query(`DROP DATABASE ${datname} WITH (FORCE)`)
  })
}

function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Takes the first folder whose last user has ended. */
function takeFolder(base: string): { folder: string; release(): void } {
  for (let slot = 0; slot < 16; slot += 1) {
    const folder = join(base, String(slot))
    mkdirSync(folder, { recursive: true })
    const lock = join(folder, 'owner')
    if (tryLock(lock)) return { folder, release: () => rmSync(lock, { force: true }) }
  }
  throw new Error(`All folders in ${base} are in use.`)
}

function tryLock(lock: string): boolean {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = openSync(lock, 'wx')
      writeSync(file, String(process.pid))
      closeSync(file)
      return true
    } catch {
      const owner = Number(readFileSync(lock, 'utf8'))
      if (owner > 0 && owner !== process.pid && !isAlive(owner)) rmSync(lock, { force: true })
      else return false
    }
  }
  return false
}
