import type { Clock } from '#domain/kernel/clock.ts'
import type { IdentityDatabase } from './database.ts'
import type { Ids } from './ids.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { LimitStore } from './limit-store.ts'
import type { SigningKey } from './signing-keys.ts'

/** What every use case of the identity part is given: the outside world as arguments. */
export type IdentityContext = {
  readonly db: IdentityDatabase
  readonly clock: Clock
  readonly ids: Ids
  readonly hasher: PasswordHasher
  readonly limits: LimitStore
  /** The key that signs now. Loaded on first use. */
  readonly signingKey: () => Promise<SigningKey>
}

/** Where a request comes from: `address` is the rightmost untrusted hop. */
export type Origin = { readonly address: string; readonly userAgent: string }
