import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { openQueue } from '../../../control-plane/platform/queue.ts'
import { silentLog } from '#platform/logger.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { waitFor } from '../../support/wait-for.ts'

const DONE = 12_000
const NEW = 40

let database: PlatformDatabase
beforeAll(async () => {
  database = await platformDatabase()
})
afterAll(() => database.close())

/** Rows of the queue's table that were read so far; each connection tells it when it ends. */
async function rowsRead(): Promise<number> {
  await waitFor('the end of the queue', async () => {
    const open = await database.db.query(`select from pg_stat_activity where application_name like 'queue:kept%'`)
    return open.length === 0
  })
  const [row] = await database.db.query<{ read: bigint }>(
    `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables where schemaname = 'bullmq' and relname = 'job'`,
  )
  return Number(row?.read)
}

/** Runs so many tasks, and answers how many rows were read for each. */
async function rowsForEach(count: number): Promise<number> {
  const before = await rowsRead()
  const queue = openQueue('kept', { databaseUrl: database.url, log: silentLog })
  for (let i = 0; i < count; i += 1) await queue.add({ id: systemIds.next(), kind: 'a', data: {} })
  let done = 0
  await queue.work(async () => void (done += 1), { concurrency: 1 })
  await waitFor('the tasks', () => done === count)
  await queue.close()
  return ((await rowsRead()) - before) / count
}

it('completing a task reads no completed tasks, however many are kept', async () => {
  await rowsForEach(1)
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query(
    `insert into bullmq.job (queue, id, seq, name, state, finished_at_ms, added_at_ms)
     select queue, 'done-' || n, seq - $1 - 1 + n, name, state, finished_at_ms, added_at_ms
     from bullmq.job, generate_series(1, $1::int) n where queue = 'kept' and state = 'completed'`,
    [DONE],
  )
  await owner.query('analyze bullmq.job')
  await owner.end()
  expect(await rowsForEach(NEW)).toBeLessThan(DONE / 10)
})
