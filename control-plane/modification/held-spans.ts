import { forints } from '#domain/billing/money.ts'
import type { PaidSpan } from '#domain/billing/paid-time.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { SaleRef } from '../billing/correct-sale.ts'
import type { Context } from '../platform/context.ts'
import type { Sql } from '../platform/postgres.ts'

type Row = {
  id: string
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
}
/** `sale`: what paid for it. */
export type HeldSpan = { readonly id: string; readonly sale: SaleRef; readonly span: PaidSpan }

function saleOf({ order_id: order, renewal_id: renewal, modification_id: modification }: Row): SaleRef {
  if (order !== null) return { kind: 'order', id: order }
  if (renewal !== null) return { kind: 'renewal', id: renewal }
  assert(modification !== null, 'Every span was paid by something.')
  return { kind: 'modification', id: modification }
}

/** What was paid for days that are still to come, in the order of the days. */
export async function readHeldSpans(sql: Sql, serverId: string, nowMs: number): Promise<HeldSpan[]> {
  const rows = await sql.query<Row>(
    'select * from control.paid_spans where server_id = $1 and end_at > $2 order by start_at, id',
    [serverId, new Date(nowMs)],
  )
  return rows.map((row) => ({
    id: row.id,
    sale: saleOf(row),
    span: {
      startMs: row.start_at.getTime(),
      endMs: row.end_at.getTime(),
      fromMonthly: forints(row.from_monthly_ft),
      toMonthly: forints(row.to_monthly_ft),
      heldMonthly: forints(row.held_monthly_ft),
      paid: forints(row.paid_ft),
      returned: forints(row.returned_ft),
    },
  }))
}

/** Writes what a change of size makes of the spans; those beyond the old ones are new, and of the modification. */
export async function writeHeldSpans(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  change: { serverId: string; modificationId: string; before: readonly HeldSpan[]; after: readonly PaidSpan[] },
): Promise<void> {
  const { before, after } = change
  for (const [index, span] of after.entries()) {
    const old = before[index]
    const held = span.heldMonthly.minor.toString()
    if (old) {
      await tx.query('update control.paid_spans set held_monthly_ft = $2, returned_ft = $3 where id = $1', [
        old.id,
        held,
        span.returned.minor.toString(),
      ])
      continue
    }
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
        held,
        span.paid.minor.toString(),
        new Date(clock.now()),
      ],
    )
  }
}

/** What was paid for a server out of money and bonus, and what of each was given back. */
export async function readBuckets(sql: Sql, serverId: string): Promise<{ paid: Buckets; refunded: Buckets }> {
  const [row] = await sql.query<Record<'money' | 'bonus' | 'back_money' | 'back_bonus', bigint>>(
    `select coalesce(sum(h.wallet_minor), 0)::bigint as money, coalesce(sum(h.bonus_minor), 0)::bigint as bonus,
       (select coalesce(sum(m.back_money_ft), 0)::bigint from control.modifications m where m.server_id = $1) as back_money,
       (select coalesce(sum(m.back_bonus_ft), 0)::bigint from control.modifications m where m.server_id = $1) as back_bonus
     from control.ledger_holds h where h.state = 'captured' and h.id in (
       select hold_id from control.orders where server_id = $1
       union all select hold_id from control.renewals where server_id = $1
       union all select hold_id from control.modifications where server_id = $1)`,
    [serverId],
  )
  const of = (value: bigint | undefined) => forints(value ?? 0n)
  return {
    paid: { money: of(row?.money), bonus: of(row?.bonus) },
    refunded: { money: of(row?.back_money), bonus: of(row?.back_bonus) },
  }
}
