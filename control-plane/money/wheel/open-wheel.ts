import { createHash } from 'node:crypto'
import type { PrizeWheelRow } from '#contracts/cms-api/sales-rows.ts'
import { countryOfProfile } from '#domain/billing/country.ts'
import { wheelFault, type WheelPrize } from '#domain/prizes/wheel.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readInvoiceContact } from '../../cms/cms-reader.ts'
import { readPrizeWheel } from '../../cms/sales-reader.ts'

export const countryOf = async (sql: Sql, userId: string): Promise<string> =>
  countryOfProfile(await readInvoiceContact(sql, userId))

export type OpenWheel = {
  readonly settings: PrizeWheelRow
  readonly prizes: readonly WheelPrize[]
  readonly isEnabled: boolean
}

/** The wheel with its possible prizes: a server without a configured package is not one. */
export async function readWheel(sql: Sql): Promise<OpenWheel> {
  const settings = await readPrizeWheel(sql)
  const prizes = settings.prizes.filter(({ type }) => type !== 'server' || settings.server_package_id !== null)
  return { settings, prizes, isEnabled: wheelFault(prizes) === undefined }
}

const SEED_BYTES = 32

export type PromisedSeed = { readonly serverSeed: string; readonly serverSeedHash: string }

/** The seed of a person's next draw. It is created when first read, and kept until a draw uses it. */
export async function promisedSeed(
  sql: Sql,
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  userId: string,
): Promise<PromisedSeed> {
  const serverSeed = Buffer.from(ids.bytes(SEED_BYTES)).toString('hex')
  const serverSeedHash = createHash('sha256').update(serverSeed).digest('hex')
  await sql.query(
    `insert into control.spin_seeds (user_id, server_seed, server_seed_hash, created_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [userId, serverSeed, serverSeedHash, new Date(clock.now())],
  )
  const [row] = await sql.query<{ server_seed: string; server_seed_hash: string }>(
    'select server_seed, server_seed_hash from control.spin_seeds where user_id = $1',
    [userId],
  )
  if (!row) throw new Error('a promised seed is there until its draw')
  return { serverSeed: row.server_seed, serverSeedHash: row.server_seed_hash }
}
