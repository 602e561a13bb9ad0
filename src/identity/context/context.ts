import type { Clock } from '#platform/clock.ts'
import type { IdentityDatabase } from './database.ts'
import type { Ids } from '#platform/ids.ts'
import type { Places } from './places.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { LimitStore } from './limit-store.ts'
import type { Sealer } from './sealing.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The dependencies of every identity use case: the outside world as arguments. */
export type IdentityContext = {
  readonly db: IdentityDatabase
  readonly clock: Clock
  readonly ids: Ids
  readonly hasher: PasswordHasher
  readonly limits: LimitStore
  readonly sealer: Sealer
  /** Seals queued mails, and keys the hashes of codes. */
  readonly sealSecret: string
  readonly keys: SigningKeys
  readonly places: Places
}

/** The origin of a request: `address` is the rightmost untrusted hop. */
export type Origin = { readonly address: string; readonly userAgent: string }
