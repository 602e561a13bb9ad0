import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres, type Database, type Sql } from '#platform/postgres/database.ts'
import { isPassing } from '#platform/postgres/sql-state.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let one: Database
beforeAll(async () => {
  database = await platformDatabase()
})
beforeEach(async () => {
  await database.owner.query('drop table if exists public.notes')
  await database.owner.query('create table public.notes (id int primary key, text text not null)')
  await database.owner.query(`insert into public.notes values (1, 'first'), (2, 'second')`)
  await one?.close()
  one = openPostgres({ url: database.url, applicationName: 'repeated', maxConnections: 1 })
})
afterAll(async () => {
  await one.close()
  await database.close()
})

const READ = 'select * from public.notes where id = $1'
const read = (sql: Sql, id: number) => sql.query(READ, [id])
const prepared = async (sql: Sql) =>
  (
    await sql.query<{ statement: string }>(
      `select statement from pg_prepared_statements where statement like 'select * from %'`,
    )
  ).map(({ statement }) => statement)
/** Gives the table another column, as a migration does under a program that runs. */
const migrate = () => database.owner.query('alter table public.notes add column at int default 7')
const repeat = async (sql: Sql) => {
  for (let count = 0; count < 2; count += 1) await read(sql, 1)
}

it('a text that comes again is kept prepared on its connection, whichever values it comes with', async () => {
  await one.transaction(async (tx) => {
    await read(tx, 1)
    expect(await prepared(tx)).toEqual([])
    expect(await read(tx, 2)).toEqual([{ id: 2, text: 'second' }])
    expect(await prepared(tx)).toEqual([READ])
  })
  expect(await read(one, 1)).toEqual([{ id: 1, text: 'first' }])
  expect(await prepared(one)).toEqual([READ])
})

it('statements that share a round trip are prepared once', async () => {
  await one.transaction((tx) => Promise.all([1, 2, 1, 2].map((id) => read(tx, id))))
  expect(await prepared(one)).toEqual([READ])
})

it('a transaction that meets a migration runs again and sees the new column', async () => {
  await one.transaction(repeat)
  await migrate()
  let tries = 0
  const rows = await one.transaction((tx) => {
    tries += 1
    return read(tx, 1)
  })
  expect([tries, rows]).toEqual([2, [{ id: 1, text: 'first', at: 7 }]])
})

it('a statement outside a transaction that meets a migration is run again', async () => {
  await repeat(one)
  await migrate()
  expect(await read(one, 1)).toEqual([{ id: 1, text: 'first', at: 7 }])
})

it('work that goes on after a failure behind a savepoint can tell a migration from a failure of its own', async () => {
  await one.transaction(repeat)
  await migrate()
  let failure: unknown
  await one.transaction(async (tx) => {
    await tx.query('savepoint work')
    await read(tx, 1).catch(async (error: unknown) => {
      failure = error
      await tx.query('rollback to savepoint work')
    })
  })
  expect(isPassing(failure)).toBe(true)
})

it('statements that are sent together report the failure that undid them, whichever of them is awaited first', async () => {
  const insert = 'insert into public.notes values ($1, $2)'
  /** As a use case does: what fails first is awaited behind more functions than what is sent behind it. */
  const deeply = async (work: Promise<unknown>, depth = 6): Promise<unknown> =>
    depth === 0 ? work : await deeply(work, depth - 1)
  for (let round = 0; round < 3; round += 1) {
    const failed = one.transaction((tx) =>
      Promise.all([deeply(tx.query(insert, [1, 'taken'])), tx.query(insert, [9, 'behind']), read(tx, 1), read(tx, 1)]),
    )
    await expect(failed).rejects.toMatchObject({ code: '23505' })
  }
  expect(await read(one, 9)).toEqual([])
})

it('a failure behind a rollback to a savepoint is its own', async () => {
  const failed = one.transaction(async (tx) => {
    await tx.query('savepoint before')
    await tx.query("insert into public.notes values (1, 'taken')").catch(() => {})
    await tx.query('rollback to savepoint before')
    await tx.query('select * from public.nothing')
  })
  await expect(failed).rejects.toMatchObject({ code: '42P01' })
})

it('a transaction whose failed statement was ignored is not reported as kept', async () => {
  const ignoring = one.transaction(async (tx) => {
    await tx.query("insert into public.notes values (3, 'third')")
    await tx.query("insert into public.notes values (1, 'taken')").catch(() => {})
  })
  await expect(ignoring).rejects.toThrow('The transaction was undone')
  expect(await read(one, 3)).toEqual([])
})
