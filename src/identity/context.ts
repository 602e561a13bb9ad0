import type { Clock } from '#platform/clock.ts'
import type { IdentityDatabase } from './database.ts'
import type { Ids } from '#platform/ids.ts'
import type { Places } from './places.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { LimitStore } from './limit-store.ts'
import type { Sealer } from './sealing.ts'
import type { SigningKeys } from './signing-keys.ts'

/** What every use case of the identity part is given: the outside world as arguments. */
export type IdentityContext = {
  readonly db: IdentityDatabase
  readonly clock: Clock
  readonly ids: Ids
  readonly hasher: PasswordHasher
  readonly limits: LimitStore
  readonly sealer: Sealer
  /** Seals mails on their way, and keys the hashes of codes. */
  readonly sealSecret: string
  readonly keys: SigningKeys
  readonly places: Places
}

/** Where a request comes from: `address` is the rightmost untrusted hop. */
export type Origin = { readonly address: string; readonly userAgent: string }
