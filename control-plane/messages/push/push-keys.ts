import { createECDH, type ECDH } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { openOwn, sealOwn } from '../../platform/own-seal.ts'

/** The key pair that identifies this installation to push services (RFC 8292): raw point and raw number, base64url. */
export type PushKey = { readonly publicKey: string; readonly privateKey: string }

type Row = { kid: string; public_key: string; sealed_private_key: Buffer }

const labelOf = (kid: string): string => `push key ${kid}`

const read = async (sql: Sql): Promise<Row | undefined> =>
  (await sql.query<Row>('select kid, public_key, sealed_private_key from control.push_keys'))[0]

/** The pair in the format of RFC 8292 and web-push: a P-256 number has 32 bytes, and node omits leading zeros. */
export const asPushKey = (pair: ECDH): PushKey => ({
  publicKey: pair.getPublicKey('base64url'),
  privateKey: Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url'),
})

async function create(tx: Sql, { ids, clock }: Pick<Context, 'ids' | 'clock'>, secret: string): Promise<Row> {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const { publicKey, privateKey } = asPushKey(pair)
  const kid = ids.next()
  const plain = Buffer.from(privateKey, 'base64url')
  const row = {
    kid,
    public_key: publicKey,
    sealed_private_key: sealOwn(plain, { secret, label: labelOf(kid), nonce: ids.bytes(12) }),
  }
  await tx.query(
    'insert into control.push_keys (kid, public_key, sealed_private_key, created_at) values ($1, $2, $3, $4)',
    [row.kid, row.public_key, row.sealed_private_key, new Date(clock.now())],
  )
  return row
}

/**
 * Reads the pair, or creates it. Several processes that start at once agree on one. It never changes: browser
 * subscriptions are bound to it, and a push under another key is refused. Throws SealBroken when `secret` is not the
 * one that sealed it.
 */
export async function loadPushKey(deps: Pick<Context, 'db' | 'clock' | 'ids'>, secret: string): Promise<PushKey> {
  const row =
    (await read(deps.db)) ??
    (await deps.db.transaction(async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtext('control.push_keys'))")
      return (await read(tx)) ?? (await create(tx, deps, secret))
    }))
  const plain = openOwn(row.sealed_private_key, { secret, label: labelOf(row.kid) })
  return { publicKey: row.public_key, privateKey: plain.toString('base64url') }
}
