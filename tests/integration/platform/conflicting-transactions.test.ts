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
  it('transactions that wait in a cycle all succeed in the end, each once', async () => {
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

  it('retries are limited, and then PostgreSQL’s error is returned', async () => {
    let tries = 0
    const always = database.db.transaction(async (tx) => {
      tries += 1
      await raise(tx, 1)
      await tx.query(`do $$ begin raise exception 'could not serialize' using errcode = '40001'; end $$`)
    })
    await expect(always).rejects.toMatchObject({ code: '40001' })
    expect([tries, await counts()]).toEqual([5, [0, 0]])
  })

  it('refused values are not retried', async () => {
    let tries = 0
    const refused = database.db.transaction(async (tx) => {
      tries += 1
      await tx.query('insert into control.idempotency_keys (scope) values (null)')
    })
    await expect(refused).rejects.toMatchObject({ code: '23502' })
    expect(tries).toBe(1)
  })

  it('without a free connection they are refused, hold none for ever, and continue when there is one', async () => {
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

describe('concurrently started statements of one transaction', () => {
  it('they run in the order of the calls, each on the result of the one before', async () => {
    const seen = await database.db.transaction(async (tx) => {
      const [, first, , second] = await Promise.all([
        raise(tx, 1),
        tx.query<{ count: number }>('select count from control.tally where id = 1'),
        raise(tx, 1),
        tx.query<{ count: number }>('select count from control.tally where id = 1'),
      ])
      return [first, second].map((rows) => rows[0]?.count)
    })
    expect([seen, await counts()]).toEqual([
      [1, 2],
      [2, 0],
    ])
  })

  it('they are undone together when one fails, and the first failure is returned', async () => {
    const failing = database.db.transaction((tx) =>
      Promise.all([raise(tx, 1), tx.query('insert into control.idempotency_keys (scope) values (null)'), raise(tx, 2)]),
    )
    await expect(failing).rejects.toMatchObject({ code: '23502' })
    expect(await counts()).toEqual([0, 0])
    await database.db.transaction((tx) => raise(tx, 2))
    expect(await counts()).toEqual([0, 1])
  })

  it('they see commits made while they waited for a lock', async () => {
    let release = () => {}
    const held = new Promise<void>((done) => (release = done))
    let isLocked = () => {}
    const locked = new Promise<void>((done) => (isLocked = done))
    const first = database.db.transaction(async (tx) => {
      await raise(tx, 1)
      isLocked()
      await held
    })
    await locked
    const second = database.db.transaction(async (tx) => {
      const [, rows] = await Promise.all([
        tx.query('select 1 from control.tally where id = 1 for update'),
        tx.query<{ count: number }>('select count from control.tally where id = 1'),
      ])
      return rows[0]?.count
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    release()
    await first
    expect(await second).toBe(1)
  })

  it('they are refused once their transaction has ended, because its connection may serve others by then', async () => {
    let late: Promise<unknown> = Promise.resolve()
    let goOn = () => {}
    const ended = new Promise<void>((done) => (goOn = done))
    const failing = database.db.transaction(async (tx) => {
      late = ended.then(() => raise(tx, 1))
      throw new Error('given up')
    })
    await expect(failing).rejects.toThrow('given up')
    goOn()
    await expect(late).rejects.toThrow('after the end of its transaction')
    expect(await counts()).toEqual([0, 0])
  })
})
