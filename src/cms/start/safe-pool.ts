import type { postgresAdapter } from '@payloadcms/db-postgres'
import pg from 'pg'
import { logLine } from '../../lib/site/log-line.ts'

/**
 * A pool that survives a restart of the database: without listeners a client's error ends the process, whether the
 * client is idle or between two statements of a transaction. In the latter case the next statement fails.
 */
export class SafePool extends pg.Pool {
  constructor(config?: pg.PoolConfig) {
    super(config)
    this.on('error', (error) => logLine('warn', { reason: error.message }, 'idle database connection ended'))
    this.on('connect', (client) => void client.on('error', () => {}))
  }
}

/** Two copies of pg's types are installed; at run time both are the one module. */
type AdapterPg = NonNullable<Parameters<typeof postgresAdapter>[0]['pg']>

/** The `pg` module with the safe pool, as Payload's adapter expects it. */
export const safePg = { ...pg, Pool: SafePool } as unknown as AdapterPg

type PoolInternals = { _clients?: pg.PoolClient[]; _idle?: { client: pg.PoolClient }[] }

/**
 * Releases the client that Payload's adapter takes when connecting and never returns; otherwise the pool could not end.
 * Call it right after Payload is ready, while nothing else uses the pool.
 */
export const releaseLeakedClients = (pool: object): void => {
  const { _clients: clients = [], _idle: idle = [] } = pool as PoolInternals
  for (const client of [...clients]) {
    if (!idle.some((entry) => entry.client === client)) client.release()
  }
}
