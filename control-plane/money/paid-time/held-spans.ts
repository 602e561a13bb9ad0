import { isDeepStrictEqual } from 'node:util'
import { bonusOfParts, bonusOfSpan, splitSpan, type FundedSpan } from '#domain/billing/paid-buckets.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import type { PaidSpan } from '#domain/billing/paid-time.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

type Row = {
  id: string
  server_id: string
  position: number
  order_id: string | null
  renewal_id: string | null
  modification_id: string | null
  start_at: Date
  end_at: Date
  from_monthly_ft: bigint
  to_monthly_ft: bigint
  held_monthly_ft: bigint
  paid_ft: bigint
  returned_ft: bigint
  ahead_ft: bigint
  charge_bonus_ft: bigint
}

/** The purchase that paid for a span. */
export type SpanCause = { readonly kind: 'order' | 'renewal' | 'modification'; readonly id: string }
export type HeldSpan = { readonly id: string; readonly span: FundedSpan; readonly cause: SpanCause }
type Raw = Omit<HeldSpan, 'span'> & { readonly span: PaidSpan; readonly chargeBonus: Money }

/** The stored payments of several servers. */
export type SpansByServer = ReadonlyMap<string, readonly Raw[]>

export async function readSpansByServer(sql: Sql, serverIds: readonly string[]): Promise<SpansByServer> {
  const rows = await sql.query<Row>(
    `select p.*, coalesce(h.bonus_minor, 0)::bigint as charge_bonus_ft from control.paid_spans p
       left join control.orders o on o.id = p.order_id
       left join control.renewals r on r.id = p.renewal_id
       left join control.modifications m on m.id = p.modification_id
       left join control.ledger_holds h on h.id = coalesce(o.hold_id, r.hold_id, m.hold_id) and h.state = 'captured'
     where p.server_id = any($1) order by p.position, p.id`,
    [serverIds],
  )
  const byServer = new Map<string, Raw[]>()
  for (const row of rows) byServer.set(row.server_id, [...(byServer.get(row.server_id) ?? []), rawOf(row)])
  return byServer
}

/** Everything that was paid for a server, as returned by `spansOf`. */
export const readSpans = async (sql: Sql, serverId: string): Promise<HeldSpan[]> =>
  spansOf(await readSpansByServer(sql, [serverId]), serverId)

/**
 * Everything that was paid for a server, in the order of the days, each span with its bonus part. `partedAtMs` splits
 * the upgrades that cover that time.
 */
export function spansOf(all: SpansByServer, serverId: string, partedAtMs?: number): HeldSpan[] {
  const stored = all.get(serverId) ?? []
  const raws = stored.flatMap((raw) => (partedAtMs === undefined ? [raw] : partOf(raw, partedAtMs)))
  // By cause when two begin together: the parts of a span share one id here but have two in the table.
  const byTime = (a: Raw, b: Raw) => a.span.startMs - b.span.startMs || (a.cause.id < b.cause.id ? -1 : 1)
  return withBonus(raws.toSorted(byTime))
}

/** Payments for future days, in the order of the days. */
export async function readHeldSpans(sql: Sql, serverId: string, nowMs: number): Promise<HeldSpan[]> {
  return (await readSpans(sql, serverId)).filter(({ span }) => span.endMs > nowMs)
}

const causeOf = ({ order_id: order, renewal_id: renewal, modification_id: modification }: Row): SpanCause => {
  if (order !== null) return { kind: 'order', id: order }
  return renewal === null ? { kind: 'modification', id: modification ?? '' } : { kind: 'renewal', id: renewal }
}

const rawOf = (row: Row): Raw => ({
  id: row.id,
  cause: causeOf(row),
  chargeBonus: forints(row.charge_bonus_ft),
  span: {
    startMs: row.start_at.getTime(),
    endMs: row.end_at.getTime(),
    fromMonthly: forints(row.from_monthly_ft),
    toMonthly: forints(row.to_monthly_ft),
    heldMonthly: forints(row.held_monthly_ft),
    paid: forints(row.paid_ft),
    returned: forints(row.returned_ft),
    ahead: forints(row.ahead_ft),
  },
})

function partOf(raw: Raw, atMs: number): Raw[] {
  const { span, cause } = raw
  if (cause.kind !== 'modification' || span.startMs >= atMs || span.endMs <= atMs) return [raw]
  return splitSpan(span, atMs).map((part) => ({ ...raw, span: part }))
}

/**
 * Bonus is spent first: of the months of one charge it paid the first ones. An upgrade counts as one span, even if it
 * was split since.
 */
function withBonus(raws: readonly Raw[]): HeldSpan[] {
  const paidBefore = new Map<string, bigint>()
  return raws.map((raw) => {
    const { id, cause, span, chargeBonus } = raw
    if (cause.kind === 'modification') return { id, cause, span: { ...span, bonus: bonusOfPart(raws, raw) } }
    const before = paidBefore.get(cause.id) ?? 0n
    paidBefore.set(cause.id, before + span.paid.minor)
    return { id, cause, span: { ...span, bonus: bonusOfSpan({ ...span, paidBefore: forints(before), chargeBonus }) } }
  })
}

function bonusOfPart(raws: readonly Raw[], raw: Raw): Money {
  const parts = raws.filter(({ cause }) => cause.kind === 'modification' && cause.id === raw.cause.id)
  const bonuses = bonusOfParts(
    parts.map(({ span }) => span),
    raw.chargeBonus,
  )
  return bonuses[parts.indexOf(raw)] ?? forints(0n)
}

const aheadOf = ({ ahead }: PaidSpan): string => (ahead?.minor ?? 0n).toString()

/** Splits the upgrades that cover a given time in the table, as `spansOf` returns them. */
export async function partSpans(tx: Sql, serverId: string, atMs: number): Promise<void> {
  const spans = await readSpans(tx, serverId)
  for (const { id, cause, span } of spans) {
    if (cause.kind !== 'modification' || span.startMs >= atMs || span.endMs <= atMs) continue
    const [early, late] = splitSpan(span, atMs)
    await tx.query(
      'update control.paid_spans set end_at = $2, paid_ft = $3, returned_ft = $4, ahead_ft = $5 where id = $1',
      [id, new Date(atMs), early.paid.minor.toString(), early.returned.minor.toString(), aheadOf(early)],
    )
    await tx.query(
      `insert into control.paid_spans (server_id, modification_id, position, start_at, end_at, from_monthly_ft, to_monthly_ft,
         held_monthly_ft, paid_ft, returned_ft, created_at, ahead_ft)
       select server_id, modification_id, (select max(position) + 1 from control.paid_spans a where a.modification_id =
         p.modification_id), $2, $3, from_monthly_ft, to_monthly_ft, held_monthly_ft, $4, $5, created_at, $6
       from control.paid_spans p where id = $1`,
      [
        id,
        new Date(atMs),
        new Date(late.endMs),
        late.paid.minor.toString(),
        late.returned.minor.toString(),
        aheadOf(late),
      ],
    )
  }
}

const heldOf = (span: PaidSpan) => ({
  held_monthly_ft: span.heldMonthly.minor.toString(),
  returned_ft: span.returned.minor.toString(),
  ahead_ft: aheadOf(span),
})

/**
 * Updates the kept and refunded parts of existing spans. `before` lists the stored spans once each; `after` has the
 * same order.
 */
export async function updateSpans(
  tx: Sql,
  before: readonly { readonly id: string; readonly span: PaidSpan }[],
  after: readonly PaidSpan[],
): Promise<void> {
  const changed = before.flatMap(({ id, span }, index) => {
    const held = heldOf(after[index] ?? span)
    return isDeepStrictEqual(held, heldOf(span)) ? [] : [{ id, ...held }]
  })
  if (changed.length === 0) return
  await tx.query(
    `update control.paid_spans p set held_monthly_ft = c.held_monthly_ft, returned_ft = c.returned_ft, ahead_ft = c.ahead_ft
     from jsonb_to_recordset($1::jsonb) as c (id uuid, held_monthly_ft bigint, returned_ft bigint, ahead_ft bigint)
     where p.id = c.id`,
    [JSON.stringify(changed)],
  )
}

/** Writes the spans after a resize; additional ones are new, and belong to the modification. */
export async function writeHeldSpans(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  change: { serverId: string; modificationId: string; before: readonly HeldSpan[]; after: readonly PaidSpan[] },
): Promise<void> {
  const { before, after } = change
  await updateSpans(tx, before, after)
  for (const span of after.slice(before.length)) {
    await tx.query(
      `insert into control.paid_spans (server_id, modification_id, position, start_at, end_at, from_monthly_ft, to_monthly_ft,
         held_monthly_ft, paid_ft, created_at) values ($1, $2, 0, $3, $4, $5, $6, $7, $8, $9)`,
      [
        change.serverId,
        change.modificationId,
        new Date(span.startMs),
        new Date(span.endMs),
        span.fromMonthly.minor.toString(),
        span.toMonthly.minor.toString(),
        span.heldMonthly.minor.toString(),
        span.paid.minor.toString(),
        new Date(clock.now()),
      ],
    )
  }
}
