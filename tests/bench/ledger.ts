import { money } from '#domain/billing/money.ts'
import { openLedger } from '../../control-plane/ledger/ledger.ts'
import { postgresLedgerStore } from '../../control-plane/ledger/postgres-ledger-store.ts'
import { systemClock } from '../../control-plane/platform/clock.ts'
import { systemIds } from '../../control-plane/platform/ids.ts'
import { topUpSettled } from '../../control-plane/ledger/postings.ts'
import { controlDatabase } from '../factories/control-database.ts'
import { median, type Section } from './report.ts'

const WRITERS = 16
const ROUND_MS = 4_000
const ROUNDS = 3

/** Runs `work` from 16 writers for a while; answers how often a second it was done. */
async function perSecond(work: (writer: number) => Promise<void>): Promise<number> {
  const end = performance.now() + ROUND_MS
  let done = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      while (performance.now() < end) {
        await work(writer)
        done += 1
      }
    }),
  )
  return (done * 1_000) / (performance.now() - start)
}

/** The statements of a posting without a ledger around them: what PostgreSQL itself takes for the same rows. */
const RAW = `with tx as (
  insert into bench_tx values ($1, $2, now()) returning id),
  a as (update bench_account set balance = balance - $3, version = version + 1 where id = 0 returning version, balance),
  b as (update bench_account set balance = balance + $3, version = version + 1 where id = $4 returning version, balance)
  insert into bench_entry
  select tx.id, 0, a.version, -$3::bigint, a.balance from tx, a union all select tx.id, $4, b.version, $3, b.balance from tx, b`

const RAW_SCHEMA = `
  create table bench_tx (id uuid primary key, key text unique, at timestamptz);
  create table bench_account (id int primary key, balance bigint, version bigint);
  create table bench_entry (tx uuid references bench_tx, account int, seq bigint, amount bigint, after bigint, primary key (account, seq));
  insert into bench_account select n, 0, 0 from generate_series(0, 1000) n;`

/** Ledger postings a second against the same statements in raw SQL, in one run on one PostgreSQL. */
export async function benchLedger(): Promise<Section> {
  const database = await controlDatabase({ maxConnections: WRITERS })
  try {
    const ledger = openLedger(postgresLedgerStore(database.db))
    const users = Array.from({ length: 1_000 }, () => systemIds.next())
    const post = async () => {
      const id = systemIds.next()
      const userId = users[Math.floor(Math.random() * users.length)] ?? id
      const origin = { id, atMs: systemClock.now(), actor: 'bench', requestId: 'bench' }
      const payment = { id, provider: 'sandbox', providerPaymentId: id, userId, amount: money(500n, 'HUF') }
      const result = await ledger.post(topUpSettled(origin, payment))
      if (!result.ok) throw new Error(`posting refused: ${result.code}`)
    }
    await database.owner.query(RAW_SCHEMA)
    const raw = async () => {
      const id = systemIds.next()
      await database.owner.query(RAW, [id, `key:${id}`, 500, 1 + Math.floor(Math.random() * 1_000)])
    }
    await perSecond(post)
    const posted: number[] = []
    const plain: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      posted.push(await perSecond(post))
      plain.push(await perSecond(raw))
    }
    return {
      title: 'Ledger',
      method: `${WRITERS} writers, 1,000 wallets and one clearing account that every posting touches; median of ${ROUNDS} rounds. fsync is off for both.`,
      figures: [
        {
          what: 'postings of two entries',
          value: median(posted),
          unit: '/s',
          against: { what: 'the same rows in raw SQL', value: median(plain) },
        },
      ],
    }
  } finally {
    await database.close()
  }
}
