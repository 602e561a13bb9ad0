import type { Sql } from '#platform/postgres/database.ts'
import type { Debt, LedgerAccount, LedgerAudit, LedgerDay, LedgerEntry } from '#contracts/http/staff-money.ts'
import { HOUSE } from './chart-of-accounts.ts'

const DEFAULT_PAGE = 50
/** Days follow the time zone of the bookkeeping. */
const ZONE = 'Europe/Budapest'

type Page = { readonly limit?: number | undefined; readonly before?: string | undefined }

const ownerOf = (id: string): string | null => (id === HOUSE ? null : id)

type AccountRow = {
  id: string
  kind: string
  owner_id: string
  provider: string
  balance_minor: bigint
  held_minor: bigint
  version: bigint
}

/** A page of accounts: the house accounts first, then people's, each ordered by id. */
export async function readAccounts(
  sql: Sql,
  filter: Page & { userId?: string | undefined; kind?: string | undefined },
): Promise<{ items: LedgerAccount[]; next: string | null }> {
  const { userId, kind, before, limit = DEFAULT_PAGE } = filter
  const rows = await sql.query<AccountRow>(
    `select a.id, a.kind, a.owner_id, a.provider, a.balance_minor, a.held_minor, a.version
     from control.ledger_accounts a left join control.ledger_accounts b on b.id = $3
     where ($1::uuid is null or a.owner_id = $1) and ($2::text is null or a.kind = $2)
       and ($3::uuid is null or (a.owner_id, a.id) > (b.owner_id, b.id))
     order by a.owner_id, a.id limit $4`,
    [userId ?? null, kind ?? null, before ?? null, limit + 1],
  )
  const items = rows.slice(0, limit).map((row) => ({
    id: row.id,
    kind: row.kind,
    ownerId: ownerOf(row.owner_id),
    provider: row.provider,
    balanceFt: Number(row.balance_minor),
    heldFt: Number(row.held_minor),
    entries: Number(row.version),
  }))
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

type EntryRow = Omit<AccountRow, 'id' | 'balance_minor' | 'held_minor' | 'version'> & {
  account_id: string
  seq: bigint
  tx_id: string
  what: string
  amount_minor: bigint
  balance_after: bigint
  reason: string
  ref_type: string
  ref_id: string
  actor: string
  created_at: Date
}

export type EntryFilter = Page & {
  readonly accountId?: string | undefined
  readonly userId?: string | undefined
  readonly kind?: string | undefined
  readonly reference?: string | undefined
  readonly day?: string | undefined
}

const SELECT_ENTRIES = `select e.account_id, a.kind, a.owner_id, a.provider, e.seq, e.tx_id, t.kind as what, e.amount_minor,
    e.balance_after, t.reason, t.ref_type, t.ref_id, t.actor, t.created_at
  from control.ledger_entries e join control.ledger_accounts a on a.id = e.account_id
    join control.ledger_transactions t on t.id = e.tx_id
  where ($1::uuid is null or e.account_id = $1) and ($2::uuid is null or a.owner_id = $2) and ($3::text is null or a.kind = $3)
    and ($4::text is null or t.ref_id = $4)
    and ($5::date is null or (t.created_at >= ($5::date::timestamp at time zone '${ZONE}')
      and t.created_at < (($5::date + 1)::timestamp at time zone '${ZONE}')))`

/**
 * A page of entries, newest first. Entries of one account are paged by their own numbers, so that concurrent postings
 * cause no gap and no duplicate; entries of several accounts by their transaction ids, which follow time.
 */
export async function readEntries(
  sql: Sql,
  filter: EntryFilter,
): Promise<{ items: LedgerEntry[]; next: string | null }> {
  const { accountId, userId, kind, reference, day, before, limit = DEFAULT_PAGE } = filter
  const values = [accountId ?? null, userId ?? null, kind ?? null, reference ?? null, day ?? null]
  const bySeq = accountId !== undefined
  const [first, second] = before === undefined ? [null, null] : cursorOf(before, bySeq)
  const page = bySeq
    ? 'and ($6::bigint is null or e.seq < $6) and $7::uuid is null order by e.seq desc limit $8'
    : 'and ($6::uuid is null or (e.tx_id, e.account_id) < ($6, $7::uuid)) order by e.tx_id desc, e.account_id desc limit $8'
  const rows = await sql.query<EntryRow>(`${SELECT_ENTRIES} ${page}`, [...values, first, second, limit + 1])
  const items = rows.slice(0, limit).map(entryOf)
  const last = items.at(-1)
  if (rows.length <= limit || last === undefined) return { items, next: null }
  return { items, next: bySeq ? String(last.seq) : `${last.transactionId}/${last.accountId}` }
}

/** Where a page continues. A cursor of the other kind restarts. */
function cursorOf(before: string, bySeq: boolean): [string | null, string | null] {
  const [transactionId = '', accountId] = before.split('/')
  if (bySeq) return [accountId === undefined ? before : null, null]
  return accountId === undefined ? [null, null] : [transactionId, accountId]
}

const entryOf = (row: EntryRow): LedgerEntry => ({
  accountId: row.account_id,
  kind: row.kind,
  ownerId: ownerOf(row.owner_id),
  provider: row.provider,
  seq: Number(row.seq),
  transactionId: row.tx_id,
  what: row.what,
  amountFt: Number(row.amount_minor),
  balanceFt: Number(row.balance_after),
  reason: row.reason,
  refType: row.ref_type,
  refId: row.ref_id,
  actor: row.actor,
  createdAt: row.created_at.toISOString(),
})

type DayRow = { day: string; kind: string; in_minor: bigint; out_minor: bigint; entries: number }

/** Daily totals of each account kind from `from` to `to`, inclusive, newest day first. */
export async function readDays(sql: Sql, { from, to }: { from: string; to: string }): Promise<LedgerDay[]> {
  const rows = await sql.query<DayRow>(
    `select to_char(t.created_at at time zone '${ZONE}', 'YYYY-MM-DD') as day, a.kind,
       coalesce(sum(e.amount_minor) filter (where e.amount_minor > 0), 0)::bigint as in_minor,
       coalesce(sum(e.amount_minor) filter (where e.amount_minor < 0), 0)::bigint as out_minor, count(*)::int as entries
     from control.ledger_transactions t join control.ledger_entries e on e.tx_id = t.id
       join control.ledger_accounts a on a.id = e.account_id
     where t.created_at >= ($1::date::timestamp at time zone '${ZONE}')
       and t.created_at < (($2::date + 1)::timestamp at time zone '${ZONE}')
     group by 1, 2 order by 1 desc, 2`,
    [from, to],
  )
  return rows.map(({ day, kind, in_minor: gained, out_minor: lost, entries }) => ({
    day,
    kind,
    entries,
    inFt: Number(gained),
    outFt: Number(lost),
  }))
}

/** Violations since the last clean check, and its time. */
export async function readAudit(sql: Sql): Promise<LedgerAudit> {
  const broken = await sql.query<LedgerAudit['broken'][number]>(
    `select rule, count(*)::int as rows, min(subject) as subject from control.ledger_recent_violations group by rule order by rule`,
  )
  const [last] = await sql.query<{ checked_at: Date | null }>(
    'select max(checked_at) as checked_at from control.ledger_checkpoints',
  )
  return { checkedAt: last?.checked_at?.toISOString() ?? null, broken }
}

type DebtRow = { owner_id: string; debt: bigint; money: bigint; since: Date | null }
const MOST_DEBTS = 500

/** All customers in debt, the largest debt first. `since` is the last time at which the debt grew. */
export async function readDebts(sql: Sql): Promise<Debt[]> {
  const rows = await sql.query<DebtRow>(
    `select d.owner_id, -d.balance_minor as debt, coalesce(w.balance_minor, 0) as money, (
       select max(t.created_at) from control.ledger_entries e join control.ledger_transactions t on t.id = e.tx_id
       where e.account_id = d.id and e.amount_minor < 0) as since
     from control.ledger_accounts d
       left join control.ledger_accounts w on w.owner_id = d.owner_id and w.kind = 'user_wallet' and w.currency = d.currency
     where d.kind = 'user_debt' and d.balance_minor < 0 order by d.balance_minor, d.owner_id limit $1`,
    [MOST_DEBTS],
  )
  return rows.map(({ owner_id: userId, debt, money, since }) => ({
    userId,
    debtFt: Number(debt),
    moneyFt: Number(money),
    since: since?.toISOString() ?? null,
  }))
}
