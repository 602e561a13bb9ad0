import pg from 'pg'
import { expect, test } from 'vitest'

import { contentKey, createDatabase } from '../../support/postgres.ts'

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('databases of one key are separate copies of one migrated template', async () => {
  let migrations = 0
  const options = {
    key: `${process.pid}-${contentKey('package.json')}-${Math.random()}`,
    migrate: async (url: string) => {
      migrations += 1
      await query(url, 'CREATE TABLE entry (id int); INSERT INTO entry VALUES (1)')
    },
  }
  const [first, second] = await Promise.all([createDatabase(options), createDatabase(options)])
  await query(first.url, 'INSERT INTO entry VALUES (2)')
  expect(migrations).toBe(1)
  expect(await query(first.url, 'SELECT count(*)::int AS entries FROM entry')).toEqual([{ entries: 2 }])
  expect(await query(second.url, 'SELECT count(*)::int AS entries FROM entry')).toEqual([{ entries: 1 }])
  await first.drop()
  await second.drop()
})

test('a dropped database is gone even with an open connection', async () => {
  const database = await createDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const broken = new Promise((done) => client.on('error', done))
  await database.drop()
  await broken
  await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist')
})

test('letters outside ASCII have upper and lower case, and the server is PostgreSQL 18', async () => {
  const database = await createDatabase()
  const rows = await query(
    database.url,
    "SELECT lower('ÁRVÍZTŰRŐ') AS text, split_part(current_setting('server_version'), '.', 1) AS major",
  )
  expect(rows).toEqual([{ text: 'árvíztűrő', major: '18' }])
  await database.drop()
})
