import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres, type Database, type Sql } from '#platform/postgres/database.ts'
import { isTakenValue, violatedUnique } from '#platform/postgres/sql-state.ts'
import { SafePool } from '../../../src/cms/start/safe-pool.ts'
import { openIdentityDatabase } from '../../../src/identity/context/database.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { FaultProxy } from '../../support/fault-proxy.ts'
import { waitFor } from '../../support/wait-for.ts'

let server: PlatformDatabase
beforeAll(async () => {
  server = await platformDatabase()
  await server.owner.query('create table public.kept (id bigint primary key)')
  await server.owner.query('grant select, insert, delete on public.kept to bakter_app')
})
afterEach(() => server.owner.query('delete from public.kept'))
afterAll(() => server.close())

const kept = async () =>
  (await server.owner.query<{ id: bigint }>('select id from public.kept order by id')).map(({ id }) => id)
const pidOf = async (sql: Sql) => (await sql.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid
/** Ends the process of a connection, and returns once it is gone. */
const kill = (pid: number | undefined) => server.owner.query('select pg_terminate_backend($1, 5000)', [pid])
/** Time for the end of a connection to arrive, which nobody asks about. */
const arrived = () => new Promise((resolve) => setTimeout(resolve, 200))

const PROGRAMS: [string, (url: string, onIdleError: (error: Error) => void) => Database][] = [
  ['the site', (url, onIdleError) => openIdentityDatabase(url, { onIdleError })],
  [
    'the control plane',
    (url, onIdleError) => openPostgres({ url, applicationName: 'control-plane', role: 'bakter_app', onIdleError }),
  ],
]

describe.each(PROGRAMS)('a connection of %s that PostgreSQL ends', (_program, open) => {
  let db: Database
  let idleErrors: Error[]
  beforeEach(() => {
    idleErrors = []
    db = open(server.url, (error) => idleErrors.push(error))
  })
  afterEach(() => db.close())

  it('a connection lost between two statements rejects and undoes the transaction, and affects nothing else', async () => {
    const broken = db.transaction(async (tx) => {
      await tx.query('insert into public.kept values (1)')
      await kill(await pidOf(tx))
      await arrived()
      await tx.query('insert into public.kept values (2)')
    })
    await expect(broken).rejects.toThrow(/terminat/i)
    await db.transaction((tx) => tx.query('insert into public.kept values (3)'))
    expect(await kept()).toEqual([3n])
  })

  it('a connection lost after the last statement rejects the transaction, so that nobody believes it was kept', async () => {
    const broken = db.transaction(async (tx) => {
      await tx.query('insert into public.kept values (1)')
      await kill(await pidOf(tx))
      await arrived()
    })
    await expect(broken).rejects.toThrow(/terminat/i)
    expect(await kept()).toEqual([])
  })

  it('a connection lost during a statement rejects that statement', async () => {
    const pid = db.transaction(async (tx) => {
      const own = await pidOf(tx)
      const slow = tx.query('select pg_sleep(30)')
      setTimeout(() => void kill(own), 50)
      await slow
    })
    await expect(pid).rejects.toThrow(/terminat/)
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('a connection killed under many statements of a transaction ends in one rejection, and in nothing uncaught (S16)', async () => {
    const uncaught: unknown[] = []
    const note = (error: unknown) => void uncaught.push(error)
    process.prependListener('uncaughtException', note).prependListener('unhandledRejection', note)
    try {
      for (const isAwaited of [true, false]) {
        const broken = db.transaction(async (tx) => {
          const own = await pidOf(tx)
          await tx.query('insert into public.kept values (1)')
          const many = [1, 2, 3].map(() => tx.query('select pg_sleep(30)'))
          setTimeout(() => void kill(own), 50)
          await (isAwaited ? Promise.all(many) : many[0])
        })
        await expect(broken).rejects.toThrow(/terminat/i)
        await arrived()
        expect(await db.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }])
      }
    } finally {
      process.off('uncaughtException', note).off('unhandledRejection', note)
    }
    expect(uncaught).toEqual([])
    expect(await kept()).toEqual([])
  })

  it('a lost idle connection is reported, and the next statement gets another one', async () => {
    await kill(await pidOf(db))
    await waitFor('the word', () => idleErrors.length === 1)
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('a lost listening connection is reopened, and its gap is reported', async () => {
    const heard: string[] = []
    let gaps = 0
    const listening = db.listen('kept', { onMessage: (text) => heard.push(text), onGap: () => (gaps += 1) })
    await listening.ready
    await server.owner.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where application_name = 'listen:kept' and datname = current_database()`,
    )
    await waitFor('the next connection', () => gaps === 2)
    await server.owner.query("select pg_notify('kept', 'one')")
    await waitFor('the word', () => heard.length === 1)
    expect({ heard, gaps }).toEqual({ heard: ['one'], gaps: 2 })
    await listening.close()
  })
})

describe('a connection of the CMS ended by PostgreSQL', () => {
  it('one lost between two statements fails the next statement, and affects nothing else', async () => {
    const pool = new SafePool({ connectionString: server.url, max: 1 })
    const client = await pool.connect()
    await client.query('begin')
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await kill(rows[0]?.pid)
    await arrived()
    await expect(client.query('select 1')).rejects.toThrow(/not queryable|terminat/i)
    client.release(true)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })
})

/** Holds the only connection of a pool. */
const holding = async (pool: Database) => {
  // A busy machine may not open it within the wait of the pool.
  await waitFor('the connection', () => pool.query('select 1'))
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  let began = () => {}
  const isHeld = new Promise<void>((resolve) => (began = resolve))
  const holder = pool.transaction(() => {
    began()
    return gate
  })
  await Promise.race([isHeld, holder])
  return {
    end: () => {
      letGo()
      return holder
    },
  }
}

describe('a pool without a free connection', () => {
  const withSmall = async (options: object, work: (small: Database) => Promise<void>) => {
    const small = openPostgres({ url: server.url, applicationName: 'small', maxConnections: 1, ...options })
    const gate = await holding(small)
    try {
      await work(small)
    } finally {
      await gate.end()
      await small.close()
    }
  }

  it('a statement and a transaction are refused with OVERLOADED after the wait, before they begin', async () => {
    await withSmall({ waitMs: 200 }, async (small) => {
      // Somebody who waits longer is refused later, and here never.
      let isRefused = false
      const usual = openPostgres({ url: server.url, applicationName: 'usual', maxConnections: 1, waitMs: 60_000 })
      const gate = await holding(usual)
      const patient = usual.query('select 1').catch(() => {
        isRefused = true
      })
      const tried = [
        small.query('insert into public.kept values (1)'),
        small.transaction((tx) => tx.query('insert into public.kept values (2)')),
      ]
      const refused = { code: 'OVERLOADED', retryAfterSeconds: 2 }
      await Promise.all(tried.map((each) => expect(each).rejects.toMatchObject(refused)))
      expect(isRefused).toBe(false)
      await gate.end()
      await patient
      await usual.close()
    })
    expect(await kept()).toEqual([])
  })

  it('with a full queue a statement is refused at once, and the waiting ones are served', async () => {
    let served: Promise<unknown> | undefined
    await withSmall({ waitMs: 60_000, maxWaiting: 1 }, async (small) => {
      served = small.query('insert into public.kept values (1)')
      // Waiting callers are refused in their order: the other one would be refused first.
      await expect(small.query('select 1')).rejects.toMatchObject({ code: 'OVERLOADED' })
    })
    await served
    expect(await kept()).toEqual([1n])
  })

  it('a server that accepts connections and stays silent causes OVERLOADED too', async () => {
    const url = new URL(server.url)
    const proxy = new FaultProxy(Number(url.port))
    url.port = new URL(await proxy.open()).port
    proxy.flow({ toTarget: 'hold', toClient: 'hold' })
    const silent = openPostgres({ url: url.href, applicationName: 'silent', waitMs: 200 })
    await expect(silent.query('select 1')).rejects.toMatchObject({ code: 'OVERLOADED' })
    await silent.close()
    await proxy.close()
  })
})

it('bigint columns arrive as bigint, with all digits', async () => {
  await server.db.query('insert into public.kept values (9007199254740993)')
  expect(await server.db.query('select id from public.kept')).toEqual([{ id: 9007199254740993n }])
})

it('a duplicate value is recognized by its index', async () => {
  await server.db.query('insert into public.kept values (1)')
  const error: unknown = await server.db.query('insert into public.kept values (1)').catch((cause: unknown) => cause)
  expect([isTakenValue(error), violatedUnique(error)]).toEqual([true, 'kept_pkey'])
  const other: unknown = await server.db.query('select 1 / 0').catch((cause: unknown) => cause)
  expect([isTakenValue(other), violatedUnique(other)]).toEqual([false, undefined])
})
