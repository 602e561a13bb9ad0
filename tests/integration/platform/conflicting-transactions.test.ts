import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres, type Sql } from '#platform/postgres/database.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
beforeAll(async () => {
  database = await platformDatabase(20)
  await database.owner.query('create table control.tally (id int primary key, count int not null)')
  await database.owner.query('grant select, update on control.tally to bakter_app')
})
beforeEach(async () => {
  await database.owner.query('delete from control.tally')
  await database.owner.query('insert into control.tally values (1, 0), (2, 0)')
})
afterAll(() => database.close())

const raise = (tx: Sql, id: number) => tx.query('update control.tally set count = count + 1 where id = $1', [id])
const counts = async () =>
  (await database.owner.query<{ count: number }>('select count from control.tally order by id')).map(
    ({ count }) => count,
  )

describe('transactions that PostgreSQL ends because of one another', () => {
  it('wait for one another in a ring, and all go through in the end, each once', async () => {
    let rings = 0
    const inOrder = (first: number, second: number) =>
      database.db.transaction(async (tx) => {
        await raise(tx, first)
        rings += 1
        // Everybody has the first row of their order before anybody asks for the second.
        if (rings <= 2) await new Promise((resolve) => setTimeout(resolve, 50))
        await raise(tx, second)
      })
    for (let round = 0; round < 3; round += 1) {
      rings = 0
      await Promise.all([inOrder(1, 2), inOrder(2, 1)])
    }
    expect(await counts()).toEqual([6, 6])
  })

  it('are tried so often and no more, and then say what PostgreSQL said', async () => {
    let tries = 0
    const always = database.db.transaction(async (tx) => {
      tries += 1
      await raise(tx, 1)
      await tx.query(`do $$ begin raise exception 'could not serialize' using errcode = '40001'; end $$`)
    })
    await expect(always).rejects.toMatchObject({ code: '40001' })
    expect([tries, await counts()]).toEqual([5, [0, 0]])
  })

  it('are not tried again when their values are refused', async () => {
    let tries = 0
    const refused = database.db.transaction(async (tx) => {
      tries += 1
      await tx.query('insert into control.idempotency_keys (scope) values (null)')
    })
    await expect(refused).rejects.toMatchObject({ code: '23502' })
    expect(tries).toBe(1)
  })

  it('without a free connection say so, hold none for ever, and go on when there is one', async () => {
    const small = openPostgres({ url: database.url, applicationName: 'small', maxConnections: 1, role: 'bakter_app' })
    try {
      let letGo = () => {}
      const gate = new Promise<void>((resolve) => (letGo = resolve))
      const holder = small.transaction(() => gate)
      await expect(small.transaction((tx) => raise(tx, 1))).rejects.toMatchObject({ code: 'OVERLOADED' })
      letGo()
      await holder
      await small.transaction((tx) => raise(tx, 1))
      expect(await counts()).toEqual([1, 0])
    } finally {
      await small.close()
    }
  })
})
