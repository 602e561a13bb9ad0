import { forints, type Money } from '#domain/billing/money.ts'
import type { SizeOnItsWay } from '#domain/billing/rejected-resize.ts'
import { factsFrom, factsOf, lockOpenUpdates, type WayRow } from '../modification/pending-sizes.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import type { ServerRecord } from '../../servers/store/server-store.ts'

/** The test server before a conversion to a larger size, as stored in its order. */
type ConvertedFrom = {
  readonly packageId: string | null
  readonly monthlyFt: number
  readonly limits: Limits
  readonly expiresAtMs: number
}

/** Stores with a conversion's order the size that its node has to accept, and the previous one. */
export async function noteOnItsWay(
  tx: Sql,
  { orderId, before, generation }: { orderId: string; before: ServerRecord; generation: number },
): Promise<void> {
  const { packageId, monthlyPriceFt: monthlyFt, cpuPercent, memoryMiB, storageMiB, expiresAtMs } = before
  const from: ConvertedFrom = { packageId, monthlyFt, limits: { cpuPercent, memoryMiB, storageMiB }, expiresAtMs }
  await tx.query('update control.orders set converted_generation = $2, converted_from = $3 where id = $1', [
    orderId,
    generation,
    JSON.stringify(from),
  ])
}

/**
 * Servers with a conversion that is not known to be accepted and whose node was asked: a rough preselection, ordered by
 * id.
 */
export async function findPendingConversions(
  sql: Sql,
  { afterId, limit }: { readonly afterId: string | undefined; readonly limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ server_id: string }>(
    `select m.server_id from control.orders m join control.servers s on s.id = m.server_id
     where m.converted_generation is not null and m.taken_at is null and m.reversed_at is null and m.total_ft > 0
       and s.desired = 'installed' and s.deleted_at is null and ($1::uuid is null or m.server_id > $1)
       and exists (select from control.commands c where c.server_id = m.server_id and c.node_id = s.node_id and c.kind = 'update'
         and (c.state = 'failed' and c.generation >= m.converted_generation or c.state in ('pending', 'accepted')))
     order by m.server_id limit $2`,
    [afterId ?? null, limit],
  )
  return rows.map((row) => row.server_id)
}

export type PendingConversion = {
  readonly orderId: string
  readonly userId: string
  readonly before: Omit<ConvertedFrom, 'monthlyFt'> & { readonly monthly: Money }
  readonly requestId: string
  /** Whether renewals were paid after it. */
  readonly isRenewed: boolean
  readonly facts: SizeOnItsWay
}

type Row = WayRow & { from: ConvertedFrom; is_renewed: boolean }

/** After a withdrawal, or after staff ended the paid time, a revert is no longer due. */
const FACTS = factsFrom(
  `m.converted_from as "from", r.is_renewed, s.monthly_price_ft = m.monthly_ft and not s.is_test
      and (r.is_renewed or s.expires_at = (select max(p.end_at) from control.paid_spans p where p.order_id = m.id))
      and not exists (select from control.modifications c where c.server_id = s.id and c.reversed_at is null
        and c.created_at >= m.created_at) as is_size_of_server`,
  `(select id, user_id, server_id, converted_generation as generation, total_ft as charge_ft, request_id, created_at, taken_at,
       converted_from, monthly_ft from control.orders) m
     cross join lateral (select exists (select from control.renewals w where w.server_id = m.server_id
       and w.withdrawn_at is null and w.created_at >= m.created_at) as is_renewed) r`,
)

/**
 * The current conversion of a server, with its delivery to the node. Call it under the server's lock; it locks the rows
 * that a report of the node would end.
 */
export async function lockConversion(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  serverId: string,
): Promise<PendingConversion | undefined> {
  await lockOpenUpdates(tx, serverId)
  const [order] = await tx.query<{ id: string }>(
    `select id from control.orders where server_id = $1 and converted_generation is not null and reversed_at is null for update`,
    [serverId],
  )
  if (!order) return undefined
  const nowMs = clock.now()
  const [row] = await tx.query<Row>(FACTS, [order.id, new Date(nowMs - SESSION_LEASE_MS)])
  if (!row) return undefined
  const { monthlyFt, ...before } = row.from
  return {
    orderId: row.id,
    userId: row.user_id,
    requestId: row.request_id,
    isRenewed: row.is_renewed,
    before: { ...before, monthly: forints(BigInt(monthlyFt)) },
    facts: factsOf(row, nowMs),
  }
}
