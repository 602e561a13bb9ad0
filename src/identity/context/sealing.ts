import { openSecret, sealSecret } from '#platform/sealed-secret.ts'
import type { SecretKey } from '#platform/sealed-secret.ts'
import type { Clock } from '#platform/clock.ts'
import type { IdentityDatabase, Sql } from './database.ts'
import type { Ids } from '#platform/ids.ts'

/** The location of a sealed value. The value is bound to it, so that two rows cannot be swapped. */
export type Place = { readonly table: string; readonly column: string; readonly row: string }

/** Seals and opens secrets of the database under keys that change while the program runs. */
export interface Sealer {
  seal(plain: Uint8Array, place: Place): Promise<string>
  /** Throws SealBroken unless the value was sealed for this place. */
  open(sealed: string, place: Place): Promise<Buffer>
}

export type SealingParts = {
  readonly db: IdentityDatabase
  readonly clock: Clock
  readonly ids: Ids
  /** The deployment's master keys; the first one seals. */
  readonly masters: readonly [SecretKey, ...SecretKey[]]
}

/** How long a process caches its key list. A value under an unknown key causes a reload. */
const RING_MS = 60_000

export const placeName = ({ table, column, row }: Place): string => `${table}.${column}:${row}`
export const sealingKeyPlace = (id: string): string => placeName({ table: 'sealing_keys', column: 'wrapped', row: id })

/** Creates a sealing key with this id, sealed with the first master key. An existing one is left unchanged. */
export const insertSealingKey = async (sql: Sql, { clock, ids, masters }: SealingParts, id: string): Promise<void> => {
  const place = sealingKeyPlace(id)
  const wrapped = sealSecret(ids.bytes(32), { key: masters[0], place, nonce: ids.bytes(12) })
  await sql.query(
    'insert into identity.sealing_keys (id, wrapped, created_at) values ($1, $2, $3) on conflict do nothing',
    [id, wrapped, new Date(clock.now())],
  )
}

/**
 * Locks the choice of the sealing key until the transaction ends, so that the second of two concurrent transactions sees
 * the first one's key.
 */
export const lockSealingKeys = async (tx: Sql): Promise<void> => {
  await tx.query("select pg_advisory_xact_lock(hashtext('identity.sealing_keys'))")
}

type Row = { id: string; wrapped: string; retired_at: Date | null }
type Ring = { readonly atMs: number; readonly keys: readonly SecretKey[]; readonly current: SecretKey }

const READ =
  'select id, wrapped, retired_at from identity.sealing_keys order by retired_at nulls first, created_at desc'

const readRows = async (parts: SealingParts): Promise<Row[]> => {
  const rows = await parts.db.query<Row>(READ)
  if (rows.some((row) => row.retired_at === null)) return rows
  return parts.db.transaction(async (tx) => {
    await lockSealingKeys(tx)
    const again = await tx.query<Row>(READ)
    if (again.some((row) => row.retired_at === null)) return again
    await insertSealingKey(tx, parts, newKeyId(parts.ids))
    return tx.query<Row>(READ)
  })
}

/** An id for a new sealing key. */
export const newKeyId = (ids: Ids): string => Buffer.from(ids.bytes(6)).toString('hex')

const readRing = async (parts: SealingParts): Promise<Ring> => {
  const atMs = parts.clock.now()
  const keys: SecretKey[] = []
  for (const row of await readRows(parts)) {
    const key = openSecret(row.wrapped, { keys: parts.masters, place: sealingKeyPlace(row.id) })
    keys.push({ id: row.id, key })
  }
  const [current] = keys
  if (!current) throw new Error('There is no key to seal with.')
  return { atMs, keys, current }
}

/**
 * The sealer of this process. Keys are read at first use, again after a minute, and when a value names an unknown one.
 */
export const createSealer = (parts: SealingParts): Sealer => {
  let ring: Promise<Ring> | undefined
  const read = () => {
    const reading = readRing(parts)
    ring = reading
    reading.catch(() => {
      if (ring === reading) ring = undefined
    })
    return reading
  }
  const known = async () => {
    const found = await (ring ?? read())
    return parts.clock.now() - found.atMs < RING_MS ? found : read()
  }
  return {
    seal: async (plain, place) =>
      sealSecret(plain, { key: (await known()).current, place: placeName(place), nonce: parts.ids.bytes(12) }),
    open: async (sealed, place) => {
      const names = (key: SecretKey) => sealed.startsWith(`bound:${key.id}:`)
      const found = await known()
      const { keys } = found.keys.some(names) ? found : await read()
      return openSecret(sealed, { keys, place: placeName(place) })
    },
  }
}
