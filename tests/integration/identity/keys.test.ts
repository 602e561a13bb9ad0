import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SealBroken, seal } from '#platform/seal.ts'
import { openSecret, sealSecret } from '#platform/sealed-secret.ts'
import { verifyAccessToken } from '../../../src/identity/keys/access-tokens.ts'
import { authenticate } from '../../../src/identity/sessions/authenticate.ts'
import type { IdentityContext } from '../../../src/identity/context/context.ts'
import type { Sql } from '../../../src/identity/context/database.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { masterKeys } from '../../../src/identity/keys/master-keys.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { rotateKeys } from '../../../src/identity/keys/rotate-keys.ts'
import type { RotationStep } from '../../../src/identity/keys/rotate-keys.ts'
import { SEALED_COLUMNS } from '../../../src/identity/keys/sealed-places.ts'
import { createSealer, insertSealingKey, lockSealingKeys } from '../../../src/identity/context/sealing.ts'
import { openSession } from '../../../src/identity/sessions/sessions.ts'
import {
  createSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  readPublicKeys,
  olderSealKey,
} from '../../../src/identity/context/signing-keys.ts'
import { overtakenWrite } from '../../support/overtaken-write.ts'
import { createIdentity, SEAL_SECRET } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'

let site: TestIdentity
beforeEach(async () => {
  site = await createIdentity()
})
afterEach(() => site.close())

const origin = { address: '10.0.0.1', userAgent: 'test' }
const DAY_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000

/** A process of its own on the same database: nothing that it knows is shared. */
const anotherProcess = (): IdentityContext => {
  const sealer = createSealer(site.parts)
  const keys = createSigningKeys({ ...site.parts, sealer, olderSecret: SEAL_SECRET })
  return { ...site.context, sealer, keys }
}
const rotate = (fault?: (point: RotationStep) => void | Promise<void>) =>
  rotateKeys({
    ...site.parts,
    sealer: () => createSealer(site.parts),
    olderSecret: SEAL_SECRET,
    ...(fault ? { fault } : {}),
  })
const isSignedIn = async (context: IdentityContext, token: string) =>
  (await authenticate(context, new Headers({ authorization: `Bearer ${token}` }), false)).ok
const kids = async () => (await readPublicKeys(site.context.db, site.clock)).keys.map(({ kid }) => kid)

describe('signing keys', () => {
  test('processes that start at once agree on one signing key', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => anotherProcess().keys.signing()))
    expect(new Set(keys.map((key) => key.kid)).size).toBe(1)
    expect(await kids()).toHaveLength(1)
  })

  test('a process that decides while another one writes the first signing key uses that key', async () => {
    const { db } = site.parts
    // The sealing key is no part of this race.
    await site.context.sealer.seal(Buffer.from('x'), { table: 'x', column: 'y', row: 'z' })
    const place = { db, owner: db, statement: 'insert into identity.signing_keys' }
    const [first, second] = await overtakenWrite(place, (sql) => {
      const sealer = createSealer(site.parts)
      return createSigningKeys({ ...site.parts, db: sql, sealer, olderSecret: SEAL_SECRET }).signing()
    })
    expect(second.kid).toBe(first.kid)
    expect(await kids()).toEqual([first.kid])
  })

  test('a process that decides while another one writes the first sealing key uses that key', async () => {
    const { db } = site.parts
    const at = { table: 'x', column: 'y', row: 'z' }
    const place = { db, owner: db, statement: 'insert into identity.sealing_keys' }
    const sealed = await overtakenWrite(place, (sql) =>
      createSealer({ ...site.parts, db: sql }).seal(Buffer.from('plain'), at),
    )
    for (const value of sealed) expect((await createSealer(site.parts).open(value, at)).toString()).toBe('plain')
    expect(await db.query('select id from identity.sealing_keys')).toHaveLength(1)
  })

  test('signing keys are sealed with the deployment’s own key, and do not open with another', async () => {
    const key = await site.context.keys.signing()
    const [row] = await site.context.db.query<{ sealed: string }>('select sealed from identity.signing_keys')
    expect(row?.sealed).toMatch(/^bound:[0-9a-f]{12}:/)
    const plain = key.privateKey.export({ format: 'der', type: 'pkcs8' })
    expect(Buffer.from(row?.sealed.split(':')[2] ?? '', 'base64').includes(plain.subarray(-16))).toBe(false)
    const masters = masterKeys({ secretsKey: undefined, sealSecret: 'another secret, as long' })
    const sealer = createSealer({ ...site.parts, masters })
    await expect(sealer.seal(plain, { table: 'x', column: 'y', row: 'z' })).rejects.toThrow(SealBroken)
    expect(await verifyAccessToken('nonsense', { nowMs: 0, keys: site.context.keys })).toBe('invalid')
  })

  test('a key of the older form still opens, and a rotation converts it', async () => {
    const { db } = site.context
    const key = await site.context.keys.signing()
    const plain = key.privateKey.export({ format: 'der', type: 'pkcs8' })
    const older = seal(plain, { key: olderSealKey(SEAL_SECRET), label: key.kid, nonce: site.context.ids.bytes(12) })
    await db.query('update identity.signing_keys set sealed = null, sealed_private = $1', [older])
    const before = await anotherProcess().keys.signing()
    expect(before.kid).toBe(key.kid)
    expect(await rotate()).toMatchObject({ resealed: 1, isContinued: false })
    const rows = await db.query('select 1 from identity.signing_keys where sealed_private is not null')
    expect(rows).toEqual([])
    expect((await anotherProcess().keys.verifying(key.kid))?.equals(key.publicKey)).toBe(true)
  })
})

describe('a rotation', () => {
  test('a rotation publishes the new key before it signs, and keeps the old one valid for a day', async () => {
    const running = anotherProcess()
    const userId = site.context.ids.next()
    const old = await running.keys.signing()
    await rotate()
    expect(await kids()).toHaveLength(2)
    expect((await anotherProcess().keys.signing()).kid).toBe(old.kid)
    site.clock.advance(14 * MINUTE_MS)
    const lastOfOld = await openSession(running, { userId, factor: null }, origin)
    site.clock.advance(2 * MINUTE_MS)
    const next = await running.keys.signing()
    expect(next.kid).not.toBe(old.kid)
    const firstOfNew = await openSession(running, { userId, factor: null }, origin)
    for (const context of [running, anotherProcess()]) {
      expect(await isSignedIn(context, lastOfOld.accessToken)).toBe(true)
      expect(await isSignedIn(context, firstOfNew.accessToken)).toBe(true)
    }
    // To the second, also for a process that has just read its list of keys.
    site.clock.advance(DAY_MS - 16 * MINUTE_MS - 10_000)
    expect(await running.keys.verifying(old.kid)).not.toBeNull()
    site.clock.advance(20_000)
    expect(await running.keys.verifying(old.kid)).toBeNull()
    expect(await kids()).toEqual([next.kid])
  })

  test('a rotation seals every secret under the new key, and the old key is removed after a day', async () => {
    const running = anotherProcess()
    await running.keys.signing()
    const read = () =>
      site.context.db.query<{ sealed: string }>('select sealed from identity.signing_keys order by created_at')
    const [before] = await read()
    await rotate()
    const [{ id } = { id: '' }] = await site.context.db.query<{ id: string }>(
      'select id from identity.sealing_keys where retired_at is null',
    )
    for (const { sealed } of await read()) expect(sealed.startsWith(`bound:${id}:`)).toBe(true)
    expect((await read())[0]?.sealed).not.toBe(before?.sealed)
    site.clock.advance(DAY_MS + MINUTE_MS)
    await rotate()
    site.clock.advance(DAY_MS + MINUTE_MS)
    const { removedKeys } = await rotate()
    expect(removedKeys).toContain(id)
    expect(await anotherProcess().keys.signing()).toBeDefined()
  })

  test('a process with an older key list opens newly sealed values, and the other way round', async () => {
    const place = { table: 'signing_keys', column: 'sealed', row: 'a' }
    const [running, later] = [anotherProcess(), anotherProcess()]
    const before = await running.sealer.seal(Buffer.from('before'), place)
    await rotate()
    const after = await later.sealer.seal(Buffer.from('after'), place)
    expect((await running.sealer.open(after, place)).toString()).toBe('after')
    expect((await later.sealer.open(before, place)).toString()).toBe('before')
    await expect(running.sealer.open(after, { ...place, row: 'b' })).rejects.toThrow(SealBroken)
  })

  test.each(['decided', 'sealing key made', 'signing key made', 'value sealed', 'all sealed'] as const)(
    'an interrupted rotation (%s) continues with its chosen keys',
    async (point) => {
      const running = anotherProcess()
      const { accessToken } = await openSession(running, { userId: site.context.ids.next(), factor: null }, origin)
      await expect(
        rotate((at) => {
          if (at === point) throw new Error('the program ended')
        }),
      ).rejects.toThrow('the program ended')
      expect(await isSignedIn(anotherProcess(), accessToken)).toBe(true)
      expect(await rotate()).toMatchObject({ isContinued: true })
      expect(await isSignedIn(anotherProcess(), accessToken)).toBe(true)
      const { db } = site.context
      expect(await db.query('select 1 from identity.sealing_keys')).toHaveLength(2)
      expect(await kids()).toHaveLength(2)
      const others = await db.query(
        `select 1 from identity.signing_keys where not starts_with(sealed, 'bound:' || (
           select id from identity.sealing_keys where retired_at is null) || ':')`,
      )
      expect(others).toEqual([])
    },
  )

  test.each([
    { table: 'sealing_keys', lock: lockSealingKeys, make: (tx: Sql) => insertSealingKey(tx, site.parts, 'first') },
    {
      table: 'signing_keys',
      lock: lockSigningKeys,
      make: (tx: Sql) => insertSigningKey(tx, site.context, { kid: site.context.ids.next(), signsFromMs: 0 }),
    },
  ])(
    'a rotation waits for a process that creates the first of $table at this moment, and leaves one',
    async ({ table, lock, make }) => {
      const { db } = site.context
      const isWaiting = async () =>
        db.query("select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'")
      let rotation: Promise<unknown> | undefined
      await db.transaction(async (tx) => {
        await lock(tx)
        await make(tx)
        rotation = rotate()
        await expect.poll(isWaiting).toHaveLength(1)
      })
      await rotation
      expect(await db.query(`select 1 from identity.${table} where retired_at is null`)).toHaveLength(1)
    },
  )

  test('two concurrent rotations do the same work', async () => {
    await site.context.keys.signing()
    await Promise.all([rotate(), rotate()])
    expect(await site.context.db.query('select 1 from identity.key_rotations where finished_at is null')).toEqual([])
    const unretired = await site.context.db.query('select 1 from identity.sealing_keys where retired_at is null')
    expect(unretired).toHaveLength(1)
    expect(await anotherProcess().keys.signing()).toBeDefined()
  })

  test.each(['decided', 'sealing key made', 'signing key made', 'value sealed'] as const)(
    'a rotation that hangs (%s) until a newer one has ended changes nothing of it',
    async (point) => {
      const { db } = site.context
      await site.context.keys.signing()
      let goOn = () => {}
      let stands = () => {}
      const standing = new Promise<void>((resolve) => (stands = resolve))
      const stalled = rotate((at) => {
        if (at !== point) return
        stands()
        return new Promise<void>((resolve) => (goOn = resolve))
      })
      await standing
      await rotate()
      await rotate()
      const keysOf = () =>
        Promise.all([
          db.query('select id, retired_at from identity.sealing_keys order by id'),
          db.query('select kid, sealed, retired_at from identity.signing_keys order by kid'),
        ])
      const before = await keysOf()
      goOn()
      expect(await stalled).toEqual({ isContinued: true, resealed: expect.any(Number), removedKeys: [] })
      expect(await keysOf()).toEqual(before)
    },
  )

  test('the master key can be changed: sealed values follow, and the old one is no longer needed', async () => {
    const base64 = (fill: number) => Buffer.alloc(32, fill).toString('base64')
    const { keys } = anotherProcess()
    const { kid } = await keys.signing()
    const masters = masterKeys({ secretsKey: `2:${base64(2)}`, sealSecret: SEAL_SECRET })
    const parts = { ...site.parts, masters }
    await rotateKeys({ ...parts, sealer: () => createSealer(parts), olderSecret: SEAL_SECRET })
    const alone = { ...site.parts, masters: [masters[0]] as [(typeof masters)[0]] }
    const sealer = createSealer(alone)
    const after = createSigningKeys({ ...alone, sealer, olderSecret: '' })
    expect(await after.verifying(kid)).not.toBeNull()
  })

  test.each([
    ['the password of outgoing mail', 'public.settings', 'smtp_password'],
    ['the secret of the Discord application', 'public.settings', 'discord_client_secret'],
    ['the key of the invoicing provider', 'public.invoicing', 'szamlazz_agent_key'],
  ])('%s follows the master key unchanged', async (_name, table, column) => {
    const base64 = (fill: number) => Buffer.alloc(32, fill).toString('base64')
    const masters = masterKeys({ secretsKey: `2:${base64(2)},1:${base64(1)}`, sealSecret: SEAL_SECRET })
    const [first, older = first] = masters
    const { db, ids } = site.context
    const sealed = sealSecret(Buffer.from('of another program'), { key: older, place: null, nonce: ids.bytes(12) })
    await db.query(`delete from ${table}`)
    await db.query(`insert into ${table} (id, ${column}) values ($1, $2)`, [ids.next(), sealed])
    const parts = { ...site.parts, masters }
    await rotateKeys({ ...parts, sealer: () => createSealer(parts), olderSecret: SEAL_SECRET })
    const [row] = await db.query<{ value: string }>(`select ${column} as value from ${table}`)
    const opened = openSecret(row?.value ?? '', { keys: [first], place: '' })
    expect(Buffer.from(opened).toString()).toBe('of another program')
  })

  test('under load no sign-in and no token check fails', async () => {
    const password = 'correct horse battery'
    const people = Array.from({ length: 8 }, (_, at) => `person${at}`)
    for (const [at, username] of people.entries()) {
      const person = { username, email: `${username}@example.test`, password, language: 'en' as const }
      await register(site.context, person, { ...origin, address: `10.9.${at}.1` })
    }
    const processes = [anotherProcess(), anotherProcess(), anotherProcess()]
    let isOver = false
    const failures: unknown[] = []
    const checks = people.map(() => 0)
    const work = async (name: string, at: number) => {
      for (let round = 0; !isOver; round += 1) {
        const context = processes[(at + round) % processes.length] ?? site.context
        const other = processes[(at + round + 1) % processes.length] ?? site.context
        const from = { ...origin, address: `10.${at}.${round % 250}.1` }
        const answer = await login(context, { name, password, device: null }, from)
        if (!answer.ok) failures.push(answer)
        else if (!(await isSignedIn(other, answer.tokens.accessToken))) failures.push('token refused')
        checks[at] = (checks[at] ?? 0) + 1
      }
    }
    const load = people.map(work)
    // Tokens live 15 minutes, so time goes in smaller steps, and on only when each person has signed in again.
    for (let round = 0; round < 4; round += 1) {
      await rotate()
      for (let step = 0; step < 3; step += 1) {
        const before = [...checks]
        const everyone = () => checks.every((count, at) => count >= (before[at] ?? 0) + 2)
        await expect.poll(everyone, { timeout: 45_000 }).toBe(true)
        site.clock.advance(6 * MINUTE_MS)
      }
    }
    isOver = true
    await Promise.all(load)
    expect(failures).toEqual([])
  })
})

test('the list of sealed columns matches the database', async () => {
  const columns = await site.context.db.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'identity' and column_name ~ '^sealed' and data_type = 'text' order by 1`,
  )
  expect(columns.map((each) => `${each.table_name}.${each.column_name}`)).toEqual(
    SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
  )
})
