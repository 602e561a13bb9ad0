import { afterEach, beforeEach, expect, it } from 'vitest'
import { auditLedger, auditRecentLedger } from '../../../control-plane/money/ledger/audit-ledger.ts'
import { openLedger } from '../../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import { readAudit } from '../../../control-plane/money/ledger/read-ledger.ts'
import { systemIds } from '#platform/ids.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { createMetrics, type Metrics } from '../../../control-plane/platform/metrics.ts'
import { controlDatabase, type ControlDatabase } from '../../factories/control-database.ts'
import { moves } from '../../factories/ledger-moves.ts'
import { silentLog } from '#platform/logger.ts'

const CHAIN = 'entry does not continue its chain'

let database: ControlDatabase
let metrics: Metrics
let user: string
beforeEach(async () => {
  database = await controlDatabase()
  metrics = createMetrics()
  user = systemIds.next()
})
afterEach(() => database.close())

const deps = () => ({ db: database.db, clock: { now: () => Date.now() }, log: silentLog })
const recent = () => auditRecentLedger(deps(), metrics)
const whole = () => auditLedger(deps(), metrics)
const ledger = () => openLedger(postgresLedgerStore(database.db))
const payIn = async (count: number) => {
  for (let i = 0; i < count; i += 1) await ledger().post(moves.payIn(user, 1_000n))
}
const checkpoints = () =>
  database.owner.query<{ seq: bigint }>('select seq from control.ledger_checkpoints order by account_id')
const rulesOf = async (name: string) =>
  [...(await metrics.registry.getSingleMetricAsString(name)).matchAll(/rule="([^"]+)"/g)].map((match) => match[1])
/** Goes around every trigger, as whoever holds the database can. */
const edit = (statement: string, values: unknown[] = []) =>
  database.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(statement, values)
  })
const rename = (seq: number) =>
  edit(
    `update control.ledger_transactions t set reason = 'Edited' from control.ledger_entries e
     where e.tx_id = t.id and e.seq = $1`,
    [seq],
  )

it('the recent audit continues where the last one ended', async () => {
  expect(await recent()).toBe(0)
  await payIn(3)
  expect(await recent()).toBe(0)
  expect(await checkpoints()).toEqual([{ seq: 3n }, { seq: 3n }])
  await ledger().placeHold(moves.hold(user, 500n))
  await payIn(2)
  expect(await recent()).toBe(0)
  expect(await checkpoints()).toEqual([{ seq: 5n }, { seq: 5n }])
})

it('the recent audit finds a changed new entry, every time', async () => {
  await payIn(2)
  await recent()
  await payIn(2)
  await rename(3)
  // Both accounts of the transaction name it in their links.
  expect(await recent()).toBe(2)
  expect(await rulesOf('bakter_ledger_recent_violations')).toEqual([CHAIN])
  expect(await checkpoints()).toEqual([{ seq: 2n }, { seq: 2n }])
  expect(await recent()).toBe(2)
})

it('the full audit finds a changed old entry, which the recent one does not read', async () => {
  await payIn(3)
  await recent()
  await payIn(1)
  await rename(1)
  expect(await recent()).toBe(0)
  expect(await whole()).toBe(2)
  expect(await rulesOf('bakter_ledger_violations')).toEqual([CHAIN])
  // A recent pass without findings takes back nothing that the whole one has found.
  expect(await recent()).toBe(0)
  expect(await rulesOf('bakter_ledger_violations')).toEqual([CHAIN])
})

it('the recent audit finds a rewritten history with consistent links', async () => {
  await payIn(3)
  await recent()
  await rename(1)
  await edit(`do $$
    declare v_entry control.ledger_entries;
    begin
      for v_entry in select * from control.ledger_entries order by account_id, seq loop
        update control.ledger_entries e set link = control.ledger_link((select b.link from control.ledger_entries b
          where b.account_id = v_entry.account_id and b.seq = v_entry.seq - 1), v_entry)
          where e.account_id = v_entry.account_id and e.seq = v_entry.seq;
      end loop;
    end $$`)
  expect(await whole()).toBe(0)
  expect(await recent()).toBe(2)
  expect(await rulesOf('bakter_ledger_recent_violations')).toEqual(['entry differs from its checkpoint'])
})

it.each([
  [
    'a balance',
    'update control.ledger_accounts set balance_minor = balance_minor + 1',
    'balance differs from its entries',
  ],
  [
    'a hold',
    'update control.ledger_accounts set held_minor = 7 where owner_id = $1',
    'held amount differs from open holds',
  ],
  ['the newest entries', 'delete from control.ledger_entries where seq = 3', 'entry differs from its checkpoint'],
])('the recent audit finds %s that was changed without a new posting', async (_name, statement, rule) => {
  await payIn(3)
  await recent()
  await edit(statement, statement.includes('$1') ? [user] : [])
  expect(await recent()).toBeGreaterThan(0)
  expect(await rulesOf('bakter_ledger_recent_violations')).toContain(rule)
})

it('the recent audit finds new entries that do not add up, or skip a number', async () => {
  await payIn(1)
  await recent()
  await payIn(1)
  await edit(`update control.ledger_entries set amount_minor = amount_minor + 1, balance_after = balance_after + 1
    where seq = 2 and amount_minor > 0`)
  expect(await recent()).toBeGreaterThan(0)
  expect(await rulesOf('bakter_ledger_recent_violations')).toEqual(
    expect.arrayContaining([CHAIN, 'transaction does not add up to zero', 'balance differs from its entries']),
  )
  await edit('update control.ledger_entries set seq = 9 where seq = 2')
  expect(await recent()).toBeGreaterThan(0)
  expect(await rulesOf('bakter_ledger_recent_violations')).toContain('running balance is wrong')
})

it('entries posted between the audit and its checkpoint are checked the next time', async () => {
  await payIn(1)
  const { db } = database
  const posting = {
    ...db,
    transaction: <Result>(work: (tx: Sql) => Promise<Result>) =>
      db.transaction((tx) =>
        work({
          query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
            if (text.includes('insert into control.ledger_checkpoints')) await payIn(1).then(() => rename(2))
            return tx.query<Row>(text, values)
          },
        }),
      ),
  }
  expect(await auditRecentLedger({ ...deps(), db: posting }, metrics)).toBe(0)
  expect(await checkpoints()).toEqual([{ seq: 1n }, { seq: 1n }])
  expect(await recent()).toBe(2)
})

it('concurrent postings are not reported as violations', async () => {
  const posting = payIn(40)
  for (let i = 0; i < 20; i += 1) expect(await recent()).toBe(0)
  await posting
  expect(await recent()).toBe(0)
  expect(await checkpoints()).toEqual([{ seq: 40n }, { seq: 40n }])
})

it('the shown audit names the newest clean check, of whichever account', async () => {
  const at = (nowMs: number) => auditRecentLedger({ ...deps(), clock: { now: () => nowMs } }, metrics)
  const [firstMs, secondMs] = [Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 2)]
  await payIn(1)
  await ledger().post(moves.payIn(systemIds.next(), 1_000n))
  expect(await at(firstMs)).toBe(0)
  expect(await readAudit(database.db)).toEqual({ checkedAt: new Date(firstMs).toISOString(), broken: [] })
  await payIn(1)
  expect(await at(secondMs)).toBe(0)
  expect(await readAudit(database.db)).toEqual({ checkedAt: new Date(secondMs).toISOString(), broken: [] })
})
