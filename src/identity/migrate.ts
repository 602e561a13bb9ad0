import { readFile, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openIdentityDatabase } from './database.ts'

/** Programs run from the folder they are installed in; bundles lie elsewhere than their sources. */
const DEFAULT_FOLDER = 'src/identity/migrations'

/**
 * Brings schema `identity` to the present: runs each `NNNN_name.sql` of `folder` that table identity.migrations does not name,
 * in order, each in a transaction of its own. Two runs at once wait for one another. Resolves with the names that ran.
 */
export const migrateIdentity = async (databaseUrl: string, folder: string = DEFAULT_FOLDER): Promise<string[]> => {
  const database = openIdentityDatabase(databaseUrl, { maxConnections: 1 })
  try {
    const names = (await readdir(resolve(folder))).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
    const ran: string[] = []
    for (const name of names) {
      const text = await readFile(resolve(folder, name), 'utf8')
      const isNew = await database.transaction(async (tx) => {
        await tx.query("select pg_advisory_xact_lock(hashtext('identity.migrations'))")
        await tx.query('create schema if not exists identity')
        await tx.query(
          'create table if not exists identity.migrations (name text primary key, ran_at timestamptz not null default now())',
        )
        const added = await tx.query(
          'insert into identity.migrations (name) values ($1) on conflict do nothing returning 1',
          [name],
        )
        if (added.length > 0) await tx.query(text)
        return added.length > 0
      })
      if (isNew) ran.push(name)
    }
    return ran
  } finally {
    await database.close()
  }
}
