import { createServer } from 'node:net'

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'

import { checkStores, claimDatabase, databaseFault, reachStores } from '../../../../scripts/start/own-stores.mjs'
import { freePort } from '../../../support/free-port.ts'
import { createDatabase } from '../../../support/postgres.ts'
import { startTestRedis } from '../../../support/redis.ts'

const sentence = (text: string) => ({ sentence: text })

/** The address of a database of this test's own with one part changed. */
async function databaseWith(change: (url: URL) => void) {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const url = new URL(database.url)
  const { host } = url
  change(url)
  return { url: url.href, host, name: database.name }
}

test('a usable database and Redis are accepted', async () => {
  const [{ url }, redis] = [await databaseWith(() => {}), await startTestRedis()]
  onTestFinished(() => redis.stop())
  const stores = { databaseUrl: url, redisUrl: redis.url }
  await expect(reachStores(stores)).resolves.toBeUndefined()
  expect(await checkStores(stores)).toEqual({ isUsed: false })
})

test('a data folder and a database belong together', async () => {
  const { url: databaseUrl, host, name } = await databaseWith(() => {})
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('CREATE TABLE public.payload_migrations ()')
  await client.end()
  const { isUsed } = await checkStores({ databaseUrl })
  expect(isUsed).toBe(true)
  const database = `${host}/${name}`
  // A start that was interrupted goes on, and so does one with another password.
  expect(claimDatabase({ databaseUrl, isUsed, state: { database } })).toEqual({ database })
  expect(claimDatabase({ databaseUrl, isUsed: false, state: {} })).toEqual({ database })
  expect(() => claimDatabase({ databaseUrl, isUsed, state: {} })).toThrow('belongs to another data folder')
  const embedded = claimDatabase({ isUsed: false, state: { seeded: true } })
  expect(embedded).toEqual({ seeded: true, database: 'embedded' })
  expect(() => claimDatabase({ databaseUrl, isUsed: false, state: embedded })).toThrow(
    'This data folder belongs to another database (embedded)',
  )
})

test.each([
  ['DATABASE_URL', 'databaseUrl', 'postgres://user:canary@'],
  ['REDIS_URL', 'redisUrl', 'redis://:canary@'],
])('%s of a port where nothing listens', async (variable, key, start) => {
  const place = `127.0.0.1:${await freePort()}`
  const refusal = sentence(`${variable} names ${place}, which cannot be used: nothing listens there.`)
  await expect(reachStores({ [key]: `${start}${place}/x` })).rejects.toMatchObject(refusal)
  await expect(checkStores({ [key]: `${start}${place}/0` })).rejects.toMatchObject(refusal)
})

test('DATABASE_URL with a wrong password, and without one', async () => {
  for (const password of ['canary', '']) {
    const { url, host } = await databaseWith((address) => (address.password = password))
    await expect(checkStores({ databaseUrl: url })).rejects.toMatchObject(
      sentence(`PostgreSQL at ${host} refuses the user or the password of DATABASE_URL.`),
    )
  }
})

test('DATABASE_URL of a database that does not exist', async () => {
  const { url, host } = await databaseWith((address) => (address.pathname = '/nowhere'))
  await expect(checkStores({ databaseUrl: url })).rejects.toMatchObject(
    sentence(`PostgreSQL at ${host} has no database "nowhere", which DATABASE_URL names: make it first.`),
  )
})

test('DATABASE_URL of a user who may not create schemas', async () => {
  const { url, name } = await databaseWith(() => {})
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const role = `guest_${name}`
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'canary'`)
  onTestFinished(async () => {
    await owner.query(`DROP ROLE ${role}`)
    await owner.end()
  })
  const asGuest = new URL(url)
  Object.assign(asGuest, { username: role, password: 'canary' })
  await expect(checkStores({ databaseUrl: asGuest.href })).rejects.toMatchObject(
    sentence(`The user of DATABASE_URL may not create schemas in "${name}": make it the owner.`),
  )
})

const fit = { version: 180_000, encoding: 'UTF8', is_read_only: false, may_create: true }

test.each([
  ['the oldest version', { version: 150_004 }, undefined],
  ['an old version', { version: 140_019 }, 'PostgreSQL at db:5432 is version 14; Bakter needs 15 or newer.'],
  ['another encoding', { encoding: 'LATIN2' }, 'The database "x" is kept in LATIN2; Bakter needs UTF8.'],
  [
    'a copy',
    { is_read_only: true },
    'PostgreSQL at db:5432 is a copy that nobody writes to; DATABASE_URL needs the original.',
  ],
])('%s of PostgreSQL', (_, change, fault) => {
  expect(databaseFault({ ...fit, ...change }, { place: 'db:5432', name: 'x' })).toBe(fault)
})

test('REDIS_URL with a wrong password, and of a Redis that evicts keys', async () => {
  const { url, port, stop } = await startTestRedis()
  onTestFinished(() => stop())
  const { Redis } = await import('ioredis')
  const redis = new Redis(url)
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
  await expect(checkStores({ redisUrl: url })).rejects.toMatchObject(
    sentence(
      `Redis at 127.0.0.1:${port} throws keys away when it is full (maxmemory-policy allkeys-lru): set it to noeviction.`,
    ),
  )
  await redis.config('SET', 'requirepass', 'secret')
  redis.disconnect()
  for (const login of ['', ':canary@', 'bob:canary@']) {
    await expect(checkStores({ redisUrl: `redis://${login}127.0.0.1:${port}` })).rejects.toMatchObject(
      sentence(`Redis at 127.0.0.1:${port} refuses the user or the password of REDIS_URL.`),
    )
  }
})

test('a program that accepts connections and says nothing is not waited for', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const place = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  await expect(checkStores({ databaseUrl: `postgres://u:p@${place}/x` })).rejects.toMatchObject({
    sentence: expect.stringContaining(`DATABASE_URL names ${place}, which cannot be used: `),
  })
  await expect(checkStores({ redisUrl: `redis://${place}` })).rejects.toMatchObject({
    sentence: expect.stringContaining(`REDIS_URL names ${place}, which cannot be used: `),
  })
})
