import { forints, type Money } from '#domain/billing/money.ts'
import type { SizeOnItsWay } from '#domain/billing/untaken-size.ts'
import { factsFrom, factsOf, lockOpenUpdates, type WayRow } from '../modification/untaken-sizes.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import type { ServerRecord } from '../../servers/store/server-store.ts'

/** The test server that a conversion made larger, as its order keeps it. */
type ConvertedFrom = {
  readonly packageId: string | null
  readonly monthlyFt: number
  readonly limits: Limits
  readonly expiresAtMs: number
}

/** Keeps with the order of a conversion what its node is to take, and what there was before. */
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

/** Servers with a conversion that is not known to be taken and about which their node was asked: a coarse sieve, in the order of ids. */
export async function findUntakenConversions(
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

export type UntakenConversion = {
  readonly orderId: string
  readonly userId: string
  readonly before: Omit<ConvertedFrom, 'monthlyFt'> & { readonly monthly: Money }
  readonly requestId: string
  /** Renewals that were paid on top of it. */
  readonly isRenewed: boolean
  readonly facts: SizeOnItsWay
}

type Row = WayRow & { from: ConvertedFrom; is_renewed: boolean }

/** Whoever withdrew from it, or whose paid time staff ended, has decided since. */
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

/** The conversion of a server that stands, with its way to the node. Under the lock of the server; what a word of the node ends is locked. */
export async function lockConversion(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  serverId: string,
): Promise<UntakenConversion | undefined> {
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
