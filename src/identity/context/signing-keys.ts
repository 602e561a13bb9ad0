import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { JsonWebKeySet } from '#contracts/http/auth.ts'
import { deriveKey, unseal } from '#platform/seal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Ids } from '#platform/ids.ts'
import type { IdentityDatabase, Sql } from './database.ts'
import type { Place, Sealer } from './sealing.ts'

/** The Ed25519 pair that signs access tokens. */
export type SigningKey = { readonly kid: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject }

/** The keys of access tokens and tickets. */
export interface SigningKeys {
  /** The current signing key. The first one is created on demand. */
  signing(): Promise<SigningKey>
  /** The public half of a key whose tokens may still be valid, or null. */
  verifying(kid: string): Promise<KeyObject | null>
}

export type SigningParts = {
  readonly db: IdentityDatabase
  readonly clock: Clock
  readonly ids: Ids
  readonly sealer: Sealer
  /** PAYLOAD_SECRET: opens keys that were sealed before sealing keys existed. */
  readonly olderSecret: string
}

/** A new key is published for this long before it signs, so that every verifier knows it. */
export const ANNOUNCED_MS = 15 * 60_000
/** How long a key's tokens stay valid after the next key was created. */
export const OVERLAP_MS = 24 * 60 * 60_000
/** How long a process caches its key list. */
const KNOWN_MS = 60_000
/** A token with an unknown key causes a reload of the list, at most this often. */
const UNKNOWN_MS = 1_000

export const signingKeyPlace = (kid: string): Place => ({ table: 'signing_keys', column: 'sealed', row: kid })

/** The key of queued mails, and of signing keys that were sealed before sealing keys existed. */
export const olderSealKey = (secret: string): Uint8Array => deriveKey(secret, 'bakter identity signing keys 1')

/**
 * Locked until the transaction ends by anyone who chooses the signing key: the second of two concurrent transactions
 * sees the first one's key.
 */
export const lockSigningKeys = async (tx: Sql): Promise<void> => {
  await tx.query("select pg_advisory_xact_lock(hashtext('identity.signing_keys'))")
}

type NewKey = { readonly kid: string; readonly signsFromMs: number }

/** Creates a signing key with this id. An existing one is left unchanged. */
export const insertSigningKey = async (
  sql: Sql,
  { clock, sealer }: Pick<SigningParts, 'clock' | 'sealer'>,
  { kid, signsFromMs }: NewKey,
): Promise<void> => {
  const pair = generateKeyPairSync('ed25519')
  const sealed = await sealer.seal(pair.privateKey.export({ format: 'der', type: 'pkcs8' }), signingKeyPlace(kid))
  await sql.query(
    `insert into identity.signing_keys (kid, public_x, sealed, created_at, signs_from) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [kid, pair.publicKey.export({ format: 'jwk' }).x ?? '', sealed, new Date(clock.now()), new Date(signsFromMs)],
  )
}

type Row = {
  kid: string
  sealed_private: Buffer | null
  sealed: string | null
  signs_from: Date
  retired_at: Date | null
}
type Known = SigningKey & { readonly signsFromMs: number; readonly retiredAtMs: number }
type KeyList = { readonly atMs: number; readonly keys: readonly Known[] }

const READ = `
  select kid, sealed_private, sealed, signs_from, retired_at from identity.signing_keys
  where retired_at is null or retired_at > $1 order by signs_from desc, kid desc`

const readRows = async ({ db, clock, ids, sealer }: SigningParts): Promise<Row[]> => {
  const now = () => [new Date(clock.now())]
  const rows = await db.query<Row>(READ, now())
  if (rows.length > 0) return rows
  // Sealed before the transaction: if every connection of the pool waited for the lock, none would be left to read the
  // sealing keys.
  await sealer.seal(new Uint8Array(1), signingKeyPlace('warm-up'))
  return db.transaction(async (tx) => {
    await lockSigningKeys(tx)
    const again = await tx.query<Row>(READ, now())
    if (again.length > 0) return again
    await insertSigningKey(tx, { clock, sealer }, { kid: ids.next(), signsFromMs: clock.now() })
    return tx.query<Row>(READ, now())
  })
}

const openRow = async (row: Row, { sealer, olderSecret }: SigningParts): Promise<Known> => {
  const der =
    row.sealed === null
      ? unseal(row.sealed_private ?? Buffer.alloc(0), { key: olderSealKey(olderSecret), label: row.kid })
      : await sealer.open(row.sealed, signingKeyPlace(row.kid))
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return {
    kid: row.kid,
    privateKey,
    publicKey: createPublicKey(privateKey),
    signsFromMs: row.signs_from.getTime(),
    retiredAtMs: row.retired_at?.getTime() ?? Infinity,
  }
}

const readList = async (parts: SigningParts): Promise<KeyList> => {
  const atMs = parts.clock.now()
  const keys: Known[] = []
  for (const row of await readRows(parts)) keys.push(await openRow(row, parts))
  return { atMs, keys }
}

/**
 * The signing keys of this process, read at first use and again after a minute. Processes that start at once agree on
 * one key.
 */
export const createSigningKeys = (parts: SigningParts): SigningKeys => {
  let list: Promise<KeyList> | undefined
  const read = () => {
    const reading = readList(parts)
    list = reading
    reading.catch(() => {
      if (list === reading) list = undefined
    })
    return reading
  }
  const known = async (forMs: number) => {
    const found = await (list ?? read())
    return parts.clock.now() - found.atMs < forMs ? found : read()
  }
  return {
    signing: async () => {
      const { keys } = await known(KNOWN_MS)
      const nowMs = parts.clock.now()
      const key = keys.find((each) => each.signsFromMs <= nowMs && nowMs < each.retiredAtMs) ?? keys[0]
      if (!key) throw new Error('There is no key to sign with.')
      return key
    },
    verifying: async (kid) => {
      const find = ({ keys }: KeyList) =>
        keys.find((each) => each.kid === kid && parts.clock.now() < each.retiredAtMs)?.publicKey ?? null
      return find(await known(KNOWN_MS)) ?? find(await known(UNKNOWN_MS))
    },
  }
}

/** The public keys of all tokens that are or will be valid, as served by the site's private port at /jwks. */
export const readPublicKeys = async (db: Sql, clock: Clock): Promise<JsonWebKeySet> => {
  const rows = await db.query<{ kid: string; public_x: string }>(
    'select kid, public_x from identity.signing_keys where retired_at is null or retired_at > $1 order by created_at desc',
    [new Date(clock.now())],
  )
  return {
    keys: rows.map((row) => ({ kty: 'OKP', crv: 'Ed25519', x: row.public_x, kid: row.kid, alg: 'EdDSA', use: 'sig' })),
  }
}
