import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Sql } from '#platform/postgres/database.ts'
import { leaveToCommit } from '#platform/postgres/together.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
beforeAll(async () => {
  database = await platformDatabase()
  await database.owner.query('create table public.marks (id int primary key)')
  await database.owner.query('grant select, insert on public.marks to bakter_app')
})
beforeEach(() => database.owner.query('delete from public.marks'))
afterAll(() => database.close())

const mark = (sql: Sql, id: number) => sql.query('insert into public.marks values ($1)', [id])
const marks = async () =>
  (await database.owner.query<{ id: number }>('select id from public.marks order by id')).map(({ id }) => id)

it('statements that nobody waits for are there when the transaction has ended', async () => {
  await database.db.transaction(async (tx) => {
    await mark(tx, 1)
    leaveToCommit([mark(tx, 2), mark(tx, 3)])
  })
  expect(await marks()).toEqual([1, 2, 3])
})

it('one of them that is refused undoes the transaction, which says why', async () => {
  const refused = database.db.transaction(async (tx) => {
    await mark(tx, 1)
    leaveToCommit([mark(tx, 1), mark(tx, 2)])
  })
  await expect(refused).rejects.toMatchObject({ code: '23505' })
  expect(await marks()).toEqual([])
})

it('one of them that meets somebody else in a ring is run again with its transaction', async () => {
  let tries = 0
  await database.db.transaction(async (tx) => {
    tries += 1
    await mark(tx, tries)
    if (tries === 1) leaveToCommit([tx.query(`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`)])
  })
  expect([tries, await marks()]).toEqual([2, [2]])
})
