import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { reconcilePayments } from '../../../control-plane/money/payments/reconcile-payments.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { readStatement } from '../../../control-plane/money/wallet/statement.ts'
import { mailInvoice } from '../../../control-plane/money/invoices/mail-invoice.ts'
import { readInvoice, readInvoices } from '../../../control-plane/money/invoices/read-invoices.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { decideSandboxPayment } from '../../../control-plane/money/payments/providers/sandbox/sandbox-provider.ts'
import { systemIds } from '#platform/ids.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { drainOutbox } from '../../../control-plane/platform/outbox-relay.ts'
import { openPostgres } from '#platform/postgres/database.ts'
import { quoteRenewal } from '../../../control-plane/money/renewals/quote-renewal.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { viewWheel } from '../../../control-plane/money/wheel/wheel-view.ts'
import { listWithdrawals } from '../../../control-plane/money/withdrawal/list-withdrawals.ts'
import { APPLICATION_ROLE, type ControlDatabase } from '../../factories/control-database.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { silentLog } from '#platform/logger.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { callerOf, credit, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'
import { waitFor } from '../../support/wait-for.ts'

const START_MS = Date.UTC(2026, 5, 1)
/** One row for each node. */
const OF_NODES = 'agent_sessions'
const MANY = 2_000

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
  const [{ name = '' } = {}] = await database.owner.query<{ name: string }>('select current_database() as name')
  // The few rows of a test would be read whole even where there is an index.
  await database.owner.query(`alter database ${name} set enable_seqscan = off`)
})
afterAll(() => database.close())

const CONNECTED = `from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
const READS = `select relname as name, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
  from pg_stat_user_tables where schemaname = 'control'`

type Reads = { readonly name: string; readonly scans: number; readonly rows: number }

/**
 * The rows that the work reads of each table. Connections tell it when they end, so nobody else is connected meanwhile.
 */
async function readsDuring(work: (db: ControlDatabase['db']) => Promise<void>): Promise<Reads[]> {
  const watcher = new pg.Client({ connectionString: database.url })
  await watcher.connect()
  const reads = async () => {
    await waitFor('the end of all connections', async () => (await watcher.query(`select ${CONNECTED}`)).rowCount === 0)
    return (await watcher.query<Reads>(READS)).rows
  }
  await watcher.query(`select pg_terminate_backend(pid) ${CONNECTED}`)
  const before = new Map((await reads()).map((each) => [each.name, each]))
  const db = openPostgres({ url: database.url, applicationName: 'watched', role: APPLICATION_ROLE, maxConnections: 4 })
  try {
    await work(db)
  } finally {
    await db.close()
  }
  const after = await reads()
  await watcher.end()
  return after.map(({ name, scans, rows }) => {
    const { scans: scansBefore = 0, rows: rowsBefore = 0 } = before.get(name) ?? {}
    return { name, scans: scans - scansBefore, rows: rows - rowsBefore }
  })
}

/** Which tables that grow with customers the work reads from end to end. */
const readWhole = async (work: (db: ControlDatabase['db']) => Promise<void>): Promise<string[]> =>
  (await readsDuring(work)).filter(({ name, scans }) => scans > 0 && name !== OF_NODES).map(({ name }) => name)

async function customer(auto: boolean) {
  const userId = await userWith(database.db, 990n)
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  await credit(database.db, { userId, amountFt: 2000n })
  await database.owner.query('update control.servers set auto_renew = $2 where id = $1', [serverId, auto])
  return { userId, serverId }
}

it('manual and automatic renewals scan no table that grows with the number of customers', async () => {
  const [byHand, byItself] = [await customer(false), await customer(true)]
  const read = await readWhole(async (db) => {
    const nowMs = START_MS + BILLING_MONTH_MS - 3_600_000
    const renewed = await renewServer(orderContext(db, { now: () => nowMs }), renewCommand(byHand))
    expect(renewed.ok).toBe(true)
    expect(await runLifetime(lifetimeContext(db, { now: () => nowMs }))).toMatchObject({ ran: true, failed: 0 })
  })
  const renewals = await database.owner.query('select server_id from control.renewals order by created_at')
  expect(renewals).toEqual([byHand, byItself].map(({ serverId }) => ({ server_id: serverId })))
  expect(read).toEqual([])
})

it('a top-up, an order, and their pages scan no table that grows with the number of customers', async () => {
  const userId = systemIds.next()
  const read = await readWhole(async (db) => {
    const context = paymentContext(db)
    const started = await startTopUp(context, topUpCommand(userId, { amount: 5000 }))
    const id = started.ok ? (started.answer.redirectUrl.split('/').at(-1) ?? '') : ''
    await decideSandboxPayment(context, { id, decision: 'succeed' })
    await reconcilePayments({ ...context, clock: { now: () => Date.now() + 3_600_000 } })
    const { serverId } = await paidServer(db, { shop, userId, nowMs: START_MS })
    const caller = callerOf(userId)
    expect((await readStatement(db, { userId })).items).toHaveLength(2)
    const { items } = await readInvoices(db, { userId, locale: 'hu' })
    expect(items).toHaveLength(1)
    await mailInvoice({ ...context, mailSecret: 'the secret of mails' }, items[0]?.id ?? '', 'r')
    await listWithdrawals(orderContext(db), caller)
    await quoteRenewal(orderContext(db), { caller, serverId, months: 1 })
    await viewWheel(orderContext(db), caller)
  })
  expect(read).toEqual([])
})

it('an invoice and its corrections are found by index', async () => {
  const [paper] = await database.owner.query<{ id: string }>('select id from control.invoices limit 1')
  await database.owner.transaction(async (tx) => {
    // The rules of numbers are not what is looked at here.
    await tx.query('set local session_replication_role = replica')
    await tx.query(
      `insert into control.invoices
       select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'number', 'COPY-' || n, 'series', 'COPY', 'sequence', n,
         'document_id', gen_random_uuid()))).* from control.invoices i, generate_series(1, $2::int) n where i.id = $1`,
      [paper?.id, MANY],
    )
  })
  await database.owner.query('analyze control.invoices')
  const reads = await readsDuring(async (db) => {
    expect(await readInvoice(db, paper?.id ?? '')).toMatchObject({ id: paper?.id, correctedBy: [] })
  })
  expect(reads.find(({ name }) => name === 'invoices')?.rows).toBeLessThan(10)
})

it('the outbox is read in order without scanning all waiting messages', async () => {
  await database.owner.query(
    `insert into control.outbox (id, topic, payload, request_id, available_at, created_at)
     select gen_random_uuid(), 'commands-waiting', '{}', 'r', '2026-01-01', timestamptz '2026-01-01' + n * interval '1 ms'
     from generate_series(1, $1::int) n`,
    [MANY],
  )
  await database.owner.query('analyze control.outbox')
  const deliver = () => Promise.reject(new Error('not now'))
  const reads = await readsDuring(async (db) => {
    const log = silentLog
    expect(await drainOutbox({ ...orderContext(db), log, metrics: createMetrics(), deliver })).toBe(100)
  })
  // A hundred are read, and each of them again to be put off.
  expect(reads.find(({ name }) => name === 'outbox')?.rows).toBeLessThan(MANY / 2)
})
