import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../scripts/start/embedded-postgres.mjs'
import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { startDemo, type Demo } from '../support/demo.ts'
import { freePort } from '../support/free-port.ts'

export type OwnDatabaseDemo = { readonly demo: Demo; readonly db: Database }

/** A demo whose PostgreSQL the bench reaches as well, with every write on the disk before it is answered. */
export async function withDatabaseDemo<Result>(
  env: Record<string, string>,
  work: (own: OwnDatabaseDemo) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'bakter-bench-'))
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    password: 'bench',
    logFile: join(folder, 'log'),
    settings: { max_connections: 200 },
  })
  const DATABASE_URL = server.url('postgres')
  const db = openPostgres({ url: DATABASE_URL, applicationName: 'bench', maxConnections: 16 })
  try {
    const demo = await startDemo({
      dataDir: join(folder, 'data'),
      env: { DATABASE_URL, AGENT_RUNTIME: 'process', TRUSTED_PROXIES: '127.0.0.1', ...env },
    })
    try {
      return await work({ demo, db })
    } finally {
      await demo.stop()
    }
  } finally {
    await db.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
