import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { JsonWebKeySet } from '#contracts/http/auth.ts'
import type { Clock } from '#domain/kernel/clock.ts'
import type { Ids } from './ids.ts'
import type { IdentityDatabase, Sql } from './database.ts'

/** The Ed25519 pair that signs access tokens. */
export type SigningKey = { readonly kid: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject }

/** The stored key cannot be opened: the deployment's secret is not the one that sealed it. */
export class SealBroken extends Error {
  override name = 'SealBroken'
}

const sealKey = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'bakter identity signing keys 1', 32))

/** Seals bytes with AES-256-GCM under a key derived from `secret`; `label` is bound to them. Layout: nonce 12, tag 16, rest. */
export const seal = (
  plain: Uint8Array,
  { secret, label, nonce }: { secret: string; label: string; nonce: Uint8Array },
) => {
  const cipher = createCipheriv('aes-256-gcm', sealKey(secret), nonce).setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Opens what `seal` made; throws SealBroken when the secret, the label or a byte differs. */
export const unseal = (sealed: Uint8Array, { secret, label }: { secret: string; label: string }): Buffer => {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', sealKey(secret), bytes.subarray(0, 12)).setAAD(Buffer.from(label))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
  } catch (cause) {
    throw new SealBroken('A stored signing key does not open with PAYLOAD_SECRET.', { cause })
  }
}

type Row = { kid: string; public_x: string; sealed_private: Buffer }

const readActive = async (db: Sql): Promise<Row | undefined> =>
  (
    await db.query<Row>(
      'select kid, public_x, sealed_private from identity.signing_keys where retired_at is null order by created_at desc limit 1',
    )
  )[0]

const createKey = async (db: Sql, deps: { clock: Clock; ids: Ids; secret: string }): Promise<Row> => {
  const pair = generateKeyPairSync('ed25519')
  const kid = deps.ids.next()
  const row = {
    kid,
    public_x: pair.publicKey.export({ format: 'jwk' }).x ?? '',
    sealed_private: seal(pair.privateKey.export({ format: 'der', type: 'pkcs8' }), {
      secret: deps.secret,
      label: kid,
      nonce: deps.ids.bytes(12),
    }),
  }
  await db.query(
    'insert into identity.signing_keys (kid, public_x, sealed_private, created_at) values ($1, $2, $3, $4)',
    [row.kid, row.public_x, row.sealed_private, new Date(deps.clock.now())],
  )
  return row
}

/** Reads the newest signing key, or makes the first one. Several processes that start at once agree on one key. */
export const loadSigningKey = async (
  db: IdentityDatabase,
  deps: { clock: Clock; ids: Ids; secret: string },
): Promise<SigningKey> => {
  const row =
    (await readActive(db)) ??
    (await db.transaction(async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtext('identity.signing_keys'))")
      return (await readActive(tx)) ?? (await createKey(tx, deps))
    }))
  const der = unseal(row.sealed_private, { secret: deps.secret, label: row.kid })
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { kid: row.kid, privateKey, publicKey: createPublicKey(privateKey) }
}

/** The public keys of every token that may still be valid, as the site's private port serves them at /jwks. */
export const readPublicKeys = async (db: Sql): Promise<JsonWebKeySet> => {
  const rows = await db.query<{ kid: string; public_x: string }>(
    'select kid, public_x from identity.signing_keys order by created_at desc',
  )
  return {
    keys: rows.map((row) => ({ kty: 'OKP', crv: 'Ed25519', x: row.public_x, kid: row.kid, alg: 'EdDSA', use: 'sig' })),
  }
}
