import type { StatementEntry, Transaction, TransactionGroup } from '#contracts/http/balance.ts'
import type { StaffTransaction } from '#contracts/http/staff-money.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { documentOnTheWire, type DocumentKind, type DocumentRef } from '../things/document-ref.ts'

export type StatementLine = {
  readonly userId: string
  readonly type: Transaction['type']
  readonly paymentType: string
  /** Signed: the change of the balance. */
  readonly amountFt: bigint
  readonly status: Transaction['status']
  readonly reason: string
  readonly document: DocumentRef
}

/** Adds a line to a customer's statement and returns its id. There is one line per document and type. */
export async function writeStatementLine(
  tx: Sql,
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  line: StatementLine,
): Promise<string> {
  const id = ids.next()
  await tx.query(
    `insert into control.wallet_transactions
       (id, user_id, type, payment_type, amount_ft, status, reason, reference_kind, reference_id, reference_source, created_at,
        updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
    [
      id,
      line.userId,
      line.type,
      line.paymentType,
      line.amountFt.toString(),
      line.status,
      line.reason,
      line.document.kind,
      line.document.id,
      line.document.source ?? '',
      new Date(clock.now()),
    ],
  )
  return id
}

/** Changes the status of a document's line. */
export async function setStatementStatus(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  change: { document: DocumentRef; status: Transaction['status'] },
): Promise<void> {
  const { kind, id } = change.document
  await tx.query(
    'update control.wallet_transactions set status = $3, updated_at = $4 where reference_kind = $1 and reference_id = $2',
    [kind, id, change.status, new Date(clock.now())],
  )
}

/**
 * The refunded part of a top-up; negative if the refund failed after all. `documentId` is the payment, or the unmatched
 * payment for an assigned additional amount.
 */
export async function noteRefunded(tx: Sql, documentId: string, changeFt: bigint): Promise<void> {
  await tx.query(
    `update control.wallet_transactions set refunded_ft = greatest(0, least(abs(amount_ft), refunded_ft + $2::bigint))
     where reference_kind in ('payment', 'unmatched') and reference_id = $1 and type = 'top-up'`,
    [documentId, changeFt.toString()],
  )
}

/** The refunded part of a charge, in addition to the refund's own line. */
export async function noteLineRefunded(
  tx: Sql,
  { document: { kind, id }, amountFt }: { document: DocumentRef; amountFt: bigint },
): Promise<void> {
  await tx.query(
    `update control.wallet_transactions set refunded_ft = least(abs(amount_ft), refunded_ft + $3::bigint)
     where reference_kind = $1 and reference_id = $2 and amount_ft < 0`,
    [kind, id, amountFt.toString()],
  )
}

type LineRow = {
  id: string
  type: Transaction['type']
  payment_type: string
  amount_ft: bigint
  status: Transaction['status']
  reason: string
  reference_kind: DocumentKind | null
  reference_id: string | null
  reference_source: string
  document_kind: Transaction['document']['kind']
  document_id: string
  refunded_ft: bigint
  created_at: Date
}

const DEFAULT_PAGE = 50

const REFERENCE = 'reference_kind, reference_id, reference_source, document_kind, document_id'

/**
 * The customer's lines with the balance after each: the current available amount less all later movements. Held money
 * and pending refunds count, pending payments do not.
 */
const LINES = `with moved as (
    select w.*, case when status = 'finished' or (status = 'processing' and amount_ft < 0) then amount_ft end as moved_ft
    from control.wallet_transactions w where user_id = $1
  ), lines as (
    select *, coalesce(sum(moved_ft) over (order by id desc rows between unbounded preceding and 1 preceding), 0) as later_ft
    from moved
  ), available as (
    select coalesce(sum(balance_minor - held_minor), 0) as ft from control.ledger_accounts
    where owner_id = $1 and kind in ('user_wallet', 'user_bonus') and currency = 'HUF'
  )
  select l.id, type, payment_type, amount_ft, status, l.reason, ${REFERENCE}, refunded_ft, l.created_at,
    case when moved_ft is not null then (ft - later_ft)::bigint end as after_ft, coalesce(o.months, r.months) as months,
    s.id as server_id, s.name as server_name, s.identifier
  from lines l cross join available
    left join control.orders o on o.id = case when reference_kind = 'order' then reference_id end
    left join control.renewals r on r.id = case when reference_kind = 'renewal' then reference_id end
    left join control.modifications m on m.id = case when reference_kind = 'modification' then reference_id end
    left join control.server_refunds b on b.id = case when reference_kind = 'server-refund' then reference_id end
    left join control.servers s on s.id = coalesce(o.server_id, r.server_id, m.server_id, b.server_id)`

/** Credits besides payments: prizes, coupons, refunds of purchases, corrections in the customer's favour. */
const IN_GROUP: Readonly<Record<TransactionGroup, string>> = {
  'top-up': `type = 'top-up'`,
  server: `s.id is not null`,
  credit: `type <> 'top-up' and amount_ft > 0`,
}

type EntryRow = LineRow & {
  after_ft: bigint | null
  months: number | null
  server_id: string | null
  server_name: string
  identifier: string
}

type StatementWish = {
  readonly userId: string
  readonly group?: TransactionGroup | undefined
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

/** A page of a user's statement, newest first; `next` is the id to continue before, or null at the end. */
export async function readStatement(
  sql: Sql,
  { userId, group, limit = DEFAULT_PAGE, before }: StatementWish,
): Promise<{ items: StatementEntry[]; next: string | null }> {
  const rows = await sql.query<EntryRow>(
    `${LINES} where ($2::uuid is null or l.id < $2) and ${group === undefined ? 'true' : IN_GROUP[group]}
     order by l.id desc limit $3`,
    [userId, before ?? null, limit + 1],
  )
  const items = rows.slice(0, limit).map(entryOf)
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

const entryOf = (row: EntryRow): StatementEntry => ({
  ...transactionOf(row),
  balanceAfterFt: row.after_ft === null ? null : Number(row.after_ft),
  server: row.server_id === null ? null : { id: row.server_id, name: row.server_name, identifier: row.identifier },
  months: row.months,
})

/** A line with texts of an unknown kind has no typed document; it is named as it is. */
const documentOfRow = (row: LineRow): Transaction['document'] =>
  row.reference_kind === null || row.reference_id === null
    ? { kind: row.document_kind, id: row.document_id }
    : documentOnTheWire({ kind: row.reference_kind, id: row.reference_id, source: row.reference_source })

const transactionOf = (row: LineRow): Transaction => ({
  id: row.id,
  amount: Number(row.amount_ft),
  type: row.type,
  paymentType: row.payment_type,
  status: row.status,
  reason: row.reason,
  document: documentOfRow(row),
  refundedFt: Number(row.refunded_ft),
  createdAt: row.created_at.toISOString(),
})

/** Staff's search in all statements. Days are in the house's time zone. */
export type LineFilter = {
  readonly userId?: string | undefined
  readonly type?: string | undefined
  readonly status?: string | undefined
  readonly provider?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

/** A page of everybody's statements, newest first. */
export async function readAllStatements(
  sql: Sql,
  filter: LineFilter,
): Promise<{ items: StaffTransaction[]; next: string | null }> {
  const { userId, type, status, provider, from, to, before, limit = DEFAULT_PAGE } = filter
  const values = [userId, type, status, provider, from, to, before].map((value) => value ?? null)
  const rows = await sql.query<LineRow & { user_id: string }>(
    `select id, user_id, type, payment_type, amount_ft, status, reason, ${REFERENCE}, refunded_ft, created_at
     from control.wallet_transactions
     where ($1::uuid is null or user_id = $1) and ($2::text is null or type = $2) and ($3::text is null or status = $3)
       and ($4::text is null or payment_type = $4)
       and ($5::date is null or created_at >= ($5::date::timestamp at time zone 'Europe/Budapest'))
       and ($6::date is null or created_at < (($6::date + 1)::timestamp at time zone 'Europe/Budapest'))
       and ($7::uuid is null or id < $7)
     order by id desc limit $8`,
    [...values, limit + 1],
  )
  const items = rows.slice(0, limit).map((row) => ({ ...transactionOf(row), userId: row.user_id }))
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
