import { unseal } from '#platform/seal.ts'
import { keyIdOf, openSecret, sealSecret } from '#platform/sealed-secret.ts'
import { isKeyInUse, replaceValue, SEALED_COLUMNS, valuesOfOtherKeys } from './sealed-places.ts'
import type { Sql } from '../context/database.ts'
import { insertSealingKey, lockSealingKeys, newKeyId, sealingKeyPlace } from '../context/sealing.ts'
import type { Sealer, SealingParts } from '../context/sealing.ts'
import {
  ANNOUNCED_MS,
  insertSigningKey,
  lockSigningKeys,
  OVERLAP_MS,
  olderSealKey,
  signingKeyPlace,
} from '../context/signing-keys.ts'

export type RotationParts = SealingParts & {
  /** Reads the key list without a cache: created for this rotation. */
  readonly sealer: () => Sealer
  readonly olderSecret: string
  /** Called between the steps; tests end the program here. */
  readonly fault?: (point: RotationStep) => void | Promise<void>
}

export type RotationStep = 'decided' | 'sealing key made' | 'signing key made' | 'value sealed' | 'all sealed'

export type RotationReport = {
  /** Whether an interrupted rotation was completed. */
  readonly isContinued: boolean
  /** How many values were resealed under the new key. */
  readonly resealed: number
  readonly removedKeys: readonly string[]
}

type Rotation = { id: string; sealing_key_id: string; signing_kid: string }

const decide = async (parts: RotationParts): Promise<{ rotation: Rotation; isContinued: boolean }> => {
  const { db, ids, clock } = parts
  const made = await db.query<Rotation>(
    `insert into identity.key_rotations (id, sealing_key_id, signing_kid, started_at) values ($1, $2, $3, $4)
     on conflict do nothing returning id, sealing_key_id, signing_kid`,
    [ids.next(), newKeyId(ids), ids.next(), new Date(clock.now())],
  )
  if (made[0]) return { rotation: made[0], isContinued: false }
  const [open] = await db.query<Rotation>(
    'select id, sealing_key_id, signing_kid from identity.key_rotations where finished_at is null',
  )
  return open ? { rotation: open, isContinued: true } : decide(parts)
}

/** Another process completed this rotation: its remaining steps must not touch the work of a later one. */
class RotationOver extends Error {
  override name = 'RotationOver'
}

/** Runs one step while the rotation is open: its completion waits for the step, and no step begins afterwards. */
const whileOpen = <Result>(
  { db }: RotationParts,
  { id }: Rotation,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    const open = await tx.query(
      'select 1 from identity.key_rotations where id = $1 and finished_at is null for share',
      [id],
    )
    if (open.length === 0) throw new RotationOver('This rotation has been finished.')
    return work(tx)
  })

const makeSealingKey = async (tx: Sql, parts: RotationParts, id: string) => {
  // A process that created the first key at this moment would leave two sealing keys, and the values of its key would
  // never all be resealed.
  await lockSealingKeys(tx)
  await insertSealingKey(tx, parts, id)
  await tx.query('update identity.sealing_keys set retired_at = $2 where id <> $1 and retired_at is null', [
    id,
    new Date(parts.clock.now()),
  ])
}

const makeSigningKey = async (tx: Sql, { clock }: RotationParts, { kid, sealer }: { kid: string; sealer: Sealer }) => {
  await lockSigningKeys(tx)
  await insertSigningKey(tx, { clock, sealer }, { kid, signsFromMs: clock.now() + ANNOUNCED_MS })
  await tx.query('update identity.signing_keys set retired_at = $2 where kid <> $1 and retired_at is null', [
    kid,
    new Date(clock.now() + OVERLAP_MS),
  ])
}

/**
 * Seals the sealing keys themselves with the first master key, so that an older one can be removed from SECRETS_KEY.
 */
const rewrapSealingKeys = async (db: Sql, { ids, masters }: RotationParts): Promise<number> => {
  const rows = await db.query<{ id: string; wrapped: string }>('select id, wrapped from identity.sealing_keys')
  const others = rows.filter(({ wrapped }) => keyIdOf(wrapped) !== masters[0].id)
  for (const { id, wrapped } of others) {
    const place = sealingKeyPlace(id)
    const key = openSecret(wrapped, { keys: masters, place })
    const again = sealSecret(key, { key: masters[0], place, nonce: ids.bytes(12) })
    await db.query('update identity.sealing_keys set wrapped = $3 where id = $1 and wrapped = $2', [id, wrapped, again])
  }
  return others.length
}

/** Secrets that staff entered: of outgoing mail, the Discord application, and the invoicing provider. */
const ENTERED_SECRETS = [
  { table: 'public.settings', column: 'smtp_password' },
  { table: 'public.settings', column: 'discord_client_secret' },
  { table: 'public.invoicing', column: 'szamlazz_agent_key' },
] as const

const resealEntered = async (
  db: Sql,
  { ids, masters }: RotationParts,
  { table, column }: (typeof ENTERED_SECRETS)[number],
): Promise<number> => {
  const rows = await db.query<{ value: string }>(
    `select ${column} as value from ${table} where coalesce(${column}, '') <> ''`,
  )
  const others = rows.filter(({ value }) => keyIdOf(value) !== masters[0].id)
  for (const { value } of others) {
    const plain = openSecret(value, { keys: masters, place: '' })
    const again = sealSecret(plain, { key: masters[0], place: null, nonce: ids.bytes(12) })
    await db.query(`update ${table} set ${column} = $2 where ${column} = $1`, [value, again])
  }
  return others.length
}

const resealSettings = async (db: Sql, parts: RotationParts): Promise<number> => {
  let count = 0
  for (const secret of ENTERED_SECRETS) count += await resealEntered(db, parts, secret)
  return count
}

/** Converts signing keys of the older format, sealed with PAYLOAD_SECRET, to the current one. */
const sealOlderSigningKeys = async (tx: Sql, parts: RotationParts, sealer: Sealer): Promise<number> => {
  const rows = await tx.query<{ kid: string; sealed_private: Buffer }>(
    'select kid, sealed_private from identity.signing_keys where sealed_private is not null',
  )
  for (const { kid, sealed_private: older } of rows) {
    const plain = unseal(older, { key: olderSealKey(parts.olderSecret), label: kid })
    await tx.query(
      'update identity.signing_keys set sealed = $2, sealed_private = null where kid = $1 and sealed is null',
      [kid, await sealer.seal(plain, signingKeyPlace(kid))],
    )
  }
  return rows.length
}

const resealColumns = async (parts: RotationParts, sealer: Sealer, rotation: Rotation): Promise<number> => {
  let count = 0
  for (const column of SEALED_COLUMNS) {
    for (;;) {
      const values = await valuesOfOtherKeys(parts.db, column, rotation.sealing_key_id)
      if (values.length === 0) break
      for (const old of values) {
        const plain = await sealer.open(old.value, old.place)
        const value = await sealer.seal(plain, old.place)
        await whileOpen(parts, rotation, (tx) => replaceValue(tx, column, { old, value }))
        count += 1
        await parts.fault?.('value sealed')
      }
    }
  }
  return count
}

// A process caches its key list for a minute: a day later no process seals with a retired key.
const removeOldKeys = async ({ db, clock }: RotationParts): Promise<string[]> => {
  const before = new Date(clock.now() - OVERLAP_MS)
  const rows = await db.query<{ id: string }>('select id from identity.sealing_keys where retired_at < $1', [before])
  const unused: string[] = []
  for (const { id } of rows) if (!(await isKeyInUse(db, id))) unused.push(id)
  await db.query('delete from identity.sealing_keys where id = any($1)', [unused])
  await db.query('delete from identity.signing_keys where retired_at < $1', [before])
  return unused
}

const runSteps = async (parts: RotationParts, rotation: Rotation): Promise<number> => {
  await parts.fault?.('decided')
  let resealed = await whileOpen(parts, rotation, (tx) => rewrapSealingKeys(tx, parts))
  await whileOpen(parts, rotation, (tx) => makeSealingKey(tx, parts, rotation.sealing_key_id))
  await parts.fault?.('sealing key made')
  const sealer = parts.sealer()
  // Sealed before the transaction: if every connection of the pool waited, none would be left to read the sealing keys.
  await sealer.seal(new Uint8Array(1), signingKeyPlace('warm-up'))
  await whileOpen(parts, rotation, (tx) => makeSigningKey(tx, parts, { kid: rotation.signing_kid, sealer }))
  await parts.fault?.('signing key made')
  resealed += await whileOpen(parts, rotation, (tx) => sealOlderSigningKeys(tx, parts, sealer))
  resealed += await resealColumns(parts, sealer, rotation)
  resealed += await whileOpen(parts, rotation, (tx) => resealSettings(tx, parts))
  await parts.fault?.('all sealed')
  await parts.db.query('update identity.key_rotations set finished_at = $2 where id = $1 and finished_at is null', [
    rotation.id,
    new Date(parts.clock.now()),
  ])
  return resealed
}

/**
 * Rotates the keys while the programs run. Creates a new sealing key and reseals every secret under it; creates a new
 * signing key, which signs after 15 minutes, while the old one stays valid for 24 hours. An interrupted rotation
 * continues with the keys it had chosen; two concurrent ones do the same work; an overtaken one changes nothing more.
 */
export const rotateKeys = async (parts: RotationParts): Promise<RotationReport> => {
  const { rotation, isContinued } = await decide(parts)
  try {
    const resealed = await runSteps(parts, rotation)
    return { isContinued, resealed, removedKeys: await removeOldKeys(parts) }
  } catch (error) {
    if (error instanceof RotationOver) return { isContinued: true, resealed: 0, removedKeys: [] }
    throw error
  }
}
