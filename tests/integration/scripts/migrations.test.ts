import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'

import { runSqlMigrations } from '../../../scripts/sql-migrations.ts'
import { migrateCms } from '../../../src/cms/migrate.ts'
import { createDatabase } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function emptyDatabase() {
  const database = await createDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  return { url: database.url, client }
}

test('a database that a newer version has used is refused before anything in it is changed', async () => {
  const { url, client } = await emptyDatabase()
  await client.query('CREATE TABLE public.payload_migrations (name text)')
  await client.query(`INSERT INTO public.payload_migrations VALUES ('20990101_later')`)
  await expect(migrateCms(url)).rejects.toMatchObject({
    name: 'MigrationRefused',
    message:
      'A newer version of Bakter has used this database: it ran public/20990101_later, which this version does not have.',
  })
  const { rows } = await client.query<{ users: string | null }>(`SELECT to_regclass('public.users') AS users`)
  expect(rows).toEqual([{ users: null }])
})

test('a migration file that has disappeared or changed is refused by its name', async () => {
  const { client } = await emptyDatabase()
  const folder = temporaryFolder()
  const file = join(folder, '0001_first.sql')
  const run = () => runSqlMigrations(client, { schema: 'sample', folder })
  writeFileSync(file, 'CREATE TABLE sample.one ()')
  expect(await run()).toEqual(['0001_first.sql'])
  expect(await run()).toEqual([])
  writeFileSync(file, 'CREATE TABLE sample.other ()')
  await expect(run()).rejects.toMatchObject({
    name: 'MigrationRefused',
    message: 'sample/0001_first.sql was changed after it had run. Write a new migration instead.',
  })
  rmSync(file)
  await expect(run()).rejects.toMatchObject({
    name: 'MigrationRefused',
    message: expect.stringContaining('it ran sample/0001_first.sql, which this version does not have.'),
  })
})
