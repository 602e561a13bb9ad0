import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { openOwn, sealOwn } from '../../platform/own-seal.ts'

/** The Ed25519 pair that signs console tokens; `x` is the raw public key, base64url, as agents receive it. */
export type ConsoleKey = { readonly kid: string; readonly x: string; readonly privateKey: KeyObject }
export type PublicConsoleKey = { readonly kid: string; readonly x: string }

type Row = { kid: string; public_key: string; sealed_private_key: Buffer }

const readActive = async (sql: Sql): Promise<Row | undefined> =>
  (
    await sql.query<Row>(
      `select kid, public_key, sealed_private_key from control.signing_keys where retired_at is null
       order by created_at desc, kid desc limit 1`,
    )
  )[0]

async function createKey(tx: Sql, deps: Pick<Context, 'clock' | 'ids'>, secret: string): Promise<Row> {
  const pair = generateKeyPairSync('ed25519')
  const kid = deps.ids.next()
  const plain = pair.privateKey.export({ format: 'der', type: 'pkcs8' })
  const row = {
    kid,
    public_key: pair.publicKey.export({ format: 'jwk' }).x ?? '',
    sealed_private_key: sealOwn(plain, { secret, label: kid, nonce: deps.ids.bytes(12) }),
  }
  await tx.query(
    'insert into control.signing_keys (kid, public_key, sealed_private_key, created_at) values ($1, $2, $3, $4)',
    [row.kid, row.public_key, row.sealed_private_key, new Date(deps.clock.now())],
  )
  return row
}

/** Reads the newest key, or creates the first one. Several processes that start at once agree on one key. */
export async function loadConsoleKey(deps: Pick<Context, 'db' | 'clock' | 'ids'>, secret: string): Promise<ConsoleKey> {
  const row =
    (await readActive(deps.db)) ??
    (await deps.db.transaction(async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtext('control.signing_keys'))")
      return (await readActive(tx)) ?? (await createKey(tx, deps, secret))
    }))
  const der = openOwn(row.sealed_private_key, { secret, label: row.kid })
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { kid: row.kid, x: row.public_key, privateKey }
}

/** Every key whose tokens may still be valid. */
export async function publicConsoleKeys(sql: Sql): Promise<PublicConsoleKey[]> {
  const rows = await sql.query<{ kid: string; public_key: string }>(
    'select kid, public_key from control.signing_keys where retired_at is null order by created_at desc',
  )
  return rows.map((row) => ({ kid: row.kid, x: row.public_key }))
}
