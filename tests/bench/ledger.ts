import { money } from '#domain/billing/money.ts'
import { openLedger } from '../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../control-plane/money/ledger/postgres-ledger-store.ts'
import { systemClock } from '#platform/clock.ts'
import type { Database } from '#platform/postgres/database.ts'
import { systemIds } from '#platform/ids.ts'
import { topUpSettled } from '../../control-plane/money/ledger/postings.ts'
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

/** The statements of a posting on the ledger's own tables, sent one after the other as a program without functions does. */
async function postByStatements(owner: Database, userId: string): Promise<void> {
  const id = systemIds.next()
  await owner.transaction(async (tx) => {
    await tx.query('select id, payload_hash from control.ledger_transactions where idempotency_key = $1', [`raw:${id}`])
    const accounts = await tx.query<{ id: string; kind: string }>(
      `select id, kind from control.ledger_accounts where (owner_id = $1 and kind = 'user_wallet') or
         (owner_id = '00000000-0000-0000-0000-000000000000' and kind = 'provider_clearing' and provider = 'sandbox')
       order by id for update`,
      [userId],
    )
    await tx.query(
      `insert into control.ledger_transactions (id, kind, idempotency_key, payload_hash, currency, reason, ref_type, ref_id,
         actor, request_id, created_at) values ($1, 'topup', $2, sha256($3), 'HUF', 'bench', 'payment', $4, 'bench', 'bench', now())`,
      [id, `raw:${id}`, Buffer.from(id), id],
    )
    const amounts = accounts.map(({ kind }) => (kind === 'user_wallet' ? 500 : -500))
    await tx.query(
      `with moved as (
         update control.ledger_accounts a set balance_minor = a.balance_minor + e.amount, version = a.version + 1
           from unnest($1::uuid[], $2::bigint[]) as e (id, amount) where a.id = e.id
           returning a.id, a.version, e.amount, a.balance_minor)
       insert into control.ledger_entries (account_id, seq, tx_id, currency, amount_minor, balance_after)
         select m.id, m.version, $3, 'HUF', m.amount, m.balance_minor from moved m`,
      [accounts.map((account) => account.id), amounts, id],
    )
  })
}

/** The same rows without rules: one statement on tables without checks, hashes, reasons and triggers. */
const BARE = `with tx as (
  insert into bench_tx values ($1, $2, now()) returning id),
  a as (update bench_account set balance = balance - $3, version = version + 1 where id = 0 returning version, balance),
  b as (update bench_account set balance = balance + $3, version = version + 1 where id = $4 returning version, balance)
  insert into bench_entry
  select tx.id, 0, a.version, -$3::bigint, a.balance from tx, a union all select tx.id, $4, b.version, $3, b.balance from tx, b`

const BARE_SCHEMA = `
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
    const anyUser = () => users[Math.floor(Math.random() * users.length)] ?? systemIds.next()
    const postFor = async (userId: string) => {
      const id = systemIds.next()
      const origin = { id, atMs: systemClock.now(), actor: 'bench', requestId: 'bench' }
      const payment = { id, provider: 'sandbox', providerPaymentId: id, userId, amount: money(500n, 'HUF') }
      const result = await ledger.post(topUpSettled(origin, payment))
      if (!result.ok) throw new Error(`posting refused: ${result.code}`)
    }
    await database.owner.query(BARE_SCHEMA)
    const bare = async () => {
      const id = systemIds.next()
      await database.owner.query(BARE, [id, `key:${id}`, 500, 1 + Math.floor(Math.random() * 1_000)])
    }
    // Every wallet exists before the rounds, so that each of them writes the same rows.
    for (const userId of users) await postFor(userId)
    const posted: number[] = []
    const stated: number[] = []
    const plain: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      posted.push(await perSecond(() => postFor(anyUser())))
      stated.push(await perSecond(() => postByStatements(database.owner, anyUser())))
      plain.push(await perSecond(bare))
    }
    return {
      title: 'Ledger',
      method:
        `${WRITERS} writers, 1,000 wallets and one clearing account that every posting locks; median of ${ROUNDS} rounds. ` +
        'fsync is off for all of them.',
      figures: [
        {
          what: 'postings of two entries',
          value: median(posted),
          unit: '/s',
          against: { what: 'the same statements in raw SQL, one after the other', value: median(stated) },
        },
        {
          what: 'postings of two entries',
          value: median(posted),
          unit: '/s',
          against: { what: 'the bare rows in one statement, without any rule', value: median(plain) },
        },
      ],
    }
  } finally {
    await database.close()
  }
}
