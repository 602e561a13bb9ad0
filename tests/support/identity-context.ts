import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { v7 } from 'uuid'
import { migrateCms } from '../../src/cms/migrate.ts'
import type { IdentityContext } from '../../src/identity/context/context.ts'
import { openIdentityDatabase } from '../../src/identity/context/database.ts'
import { memoryLimitStore, postgresLimitStore, splitLimitStore } from '../../src/identity/context/limit-store.ts'
import { createPasswordHasher } from '../../src/identity/context/password-hasher.ts'
import type { HashFunctions } from '../../src/identity/context/password-hasher.ts'
import { masterKeys } from '../../src/identity/keys/master-keys.ts'
import { createSealer } from '../../src/identity/context/sealing.ts'
import { noPlaces } from '../../src/identity/context/places.ts'
import { createSigningKeys } from '../../src/identity/context/signing-keys.ts'
import { ManualClock } from '../setup/manual-clock.ts'
import { contentKey, createDatabase } from './postgres.ts'

/** The folder of schema identity's migrations. */
export const IDENTITY_MIGRATIONS = 'src/identity/migrations'

/** Brings schema identity into a database that has the CMS's. */
export const migrateIdentity = async (url: string): Promise<void> => {
  const db = openIdentityDatabase(url, { maxConnections: 1 })
  for (const name of (await readdir(IDENTITY_MIGRATIONS)).sort())
    await db.query(await readFile(`${IDENTITY_MIGRATIONS}/${name}`, 'utf8'))
  await db.close()
}

/** A database with the schemas of the CMS and of identity, and no content. */
export const createIdentityDatabase = () =>
  createDatabase({
    key: `identity ${contentKey('src/cms/migrations', 'src/cms/migrate.ts', IDENTITY_MIGRATIONS)}`,
    migrate: async (url) => {
      await migrateCms(url)
      await migrateIdentity(url)
    },
  })

/** A hasher that costs nothing and counts its calls: none may happen before a limit is checked. */
export const createCountingHasher = () => {
  const counts = { hash: 0, verify: 0 }
  const functions: HashFunctions = {
    hash: (password) => {
      counts.hash += 1
      return Promise.resolve(`hash of ${password}`)
    },
    verify: (stored, password) => {
      counts.verify += 1
      return Promise.resolve(stored === `hash of ${password}`)
    },
  }
  return { counts, hasher: createPasswordHasher({ concurrency: 4, maxWaiting: 10_000 }, functions) }
}

export const SEAL_SECRET = 'a secret of the tests, long enough'

/** The identity part on a separate database, with a manual clock and counted hashes. */
export const createIdentity = async (create: typeof createIdentityDatabase = createIdentityDatabase) => {
  const database = await create()
  const clock = new ManualClock('2026-11-20T12:00:00Z')
  const { counts, hasher } = createCountingHasher()
  const db = openIdentityDatabase(database.url, { maxConnections: 20, waitMs: 60_000 })
  const ids = { next: () => v7(), bytes: (length: number) => new Uint8Array(randomBytes(length)) }
  const parts = { db, clock, ids, masters: masterKeys({ secretsKey: undefined, sealSecret: SEAL_SECRET }) }
  const sealer = createSealer(parts)
  const context: IdentityContext = {
    db,
    clock,
    ids,
    hasher,
    sealer,
    limits: splitLimitStore({ shared: postgresLimitStore(db, clock), local: memoryLimitStore(clock) }),
    sealSecret: SEAL_SECRET,
    places: noPlaces,
    keys: createSigningKeys({ db, clock, ids, sealer, olderSecret: SEAL_SECRET }),
  }
  const close = async () => {
    await db.close()
    await database.drop()
  }
  return { context, clock, counts, close, parts, url: database.url }
}

export type TestIdentity = Awaited<ReturnType<typeof createIdentity>>
