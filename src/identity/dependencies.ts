import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { siteSettings } from '../lib/env.ts'
import { authenticate } from './authenticate.ts'
import type { Subject } from './access-tokens.ts'
import type { IdentityContext } from './context.ts'
import type { Ids } from './ids.ts'
import { openIdentityDatabase } from './database.ts'
import { memoryLimitStore, postgresLimitStore, splitLimitStore } from './limit-store.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { loadSigningKey } from './signing-keys.ts'
import type { SigningKey } from './signing-keys.ts'

const systemIds: Ids = { next: () => v7(), bytes: (length) => new Uint8Array(randomBytes(length)) }

const createContext = (): IdentityContext => {
  const settings = siteSettings()
  const clock = { now: () => Date.now() }
  const db = openIdentityDatabase(settings.databaseUrl)
  let key: Promise<SigningKey> | undefined
  return {
    db,
    clock,
    ids: systemIds,
    hasher: createPasswordHasher(),
    limits: splitLimitStore({ shared: postgresLimitStore(db, clock), local: memoryLimitStore(clock) }),
    signingKey: () => {
      key ??= loadSigningKey(db, { clock, ids: systemIds, secret: settings.sealSecret }).catch((error: unknown) => {
        key = undefined
        throw error
      })
      return key
    },
  }
}

// The server and each route are bundles of their own: the pool, the queue of hashes and the key are one for the process.
const SLOT = Symbol.for('bakter.identity')
type Holder = { [SLOT]?: IdentityContext }

/** The identity part of this process, put together on first use. */
export const identity = (): IdentityContext => ((globalThis as Holder)[SLOT] ??= createContext())

/** Who sends the request, by cookie or bearer token, or null. The session is checked against the database. */
export const authenticateRequest = async (headers: Headers): Promise<Subject | null> => {
  const result = await authenticate(identity(), headers, siteSettings().isSecure)
  return result.ok ? result.subject : null
}
