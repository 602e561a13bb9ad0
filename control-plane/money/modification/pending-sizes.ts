import { forints, type Money } from '#domain/billing/money.ts'
import type { SizeOnItsWay } from '#domain/billing/rejected-resize.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import type { ServerRecord } from '../../servers/store/server-store.ts'

/** The node has stored the server's specification up to a generation, so all sizes until then are accepted for good. */
export async function noteTaken(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  { serverId, generation }: { readonly serverId: string; readonly generation: number },
): Promise<void> {
  await tx.query(
    `update control.orders set taken_at = $3
     where server_id = $1 and converted_generation <= $2 and taken_at is null and reversed_at is null`,
    [serverId, generation, new Date(clock.now())],
  )
  await tx.query(
    `update control.modifications set taken_at = $3
     where server_id = $1 and generation <= $2 and taken_at is null and reversed_at is null`,
    [serverId, generation, new Date(clock.now())],
  )
}

/** The same for generations observed by a program of the previous release. Locked rows are handled the next time. */
export async function noteObserved(sql: Sql, { clock }: Pick<Context, 'clock'>): Promise<void> {
  await sql.query(
    `update control.modifications set taken_at = $1 where id in (
       select m.id from control.modifications m join control.server_state o on o.server_id = m.server_id
       where m.generation <= o.observed_generation and m.taken_at is null and m.reversed_at is null
       for update of m skip locked)`,
    [new Date(clock.now())],
  )
  await sql.query(
    `update control.orders set taken_at = $1 where id in (
       select c.id from control.orders c join control.server_state o on o.server_id = c.server_id
       where c.converted_generation <= o.observed_generation and c.taken_at is null and c.reversed_at is null
       for update of c skip locked)`,
    [new Date(clock.now())],
  )
}

/**
 * Servers with a paid size that is not known to be accepted and whose node was asked: a rough preselection, ordered by
 * id.
 */
export async function findPendingSizes(
  sql: Sql,
  { afterId, limit }: { readonly afterId: string | undefined; readonly limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ server_id: string }>(
    `select distinct m.server_id from control.modifications m join control.servers s on s.id = m.server_id
     where m.generation is not null and m.taken_at is null and m.reversed_at is null and m.charge_ft > 0
       and s.desired = 'installed' and s.deleted_at is null and ($1::uuid is null or m.server_id > $1)
       and exists (select from control.commands c where c.server_id = m.server_id and c.node_id = s.node_id
         and c.kind = 'update' and (c.state = 'failed' and c.generation >= m.generation or c.state in ('pending', 'accepted')))
     order by m.server_id limit $2`,
    [afterId ?? null, limit],
  )
  return rows.map((row) => row.server_id)
}

export type PendingSize = {
  readonly id: string
  readonly userId: string
  readonly createdAtMs: number
  readonly monthlyBefore: Money
  readonly limitsBefore: Limits
  readonly packageBefore: string | null
  readonly requestId: string
  readonly facts: SizeOnItsWay
}

/** A sold size and its delivery, as selected by `factsOf`. */
export type WayRow = {
  id: string
  user_id: string
  generation: number
  charge_ft: bigint
  request_id: string
  created_at: Date
  taken_at: Date | null
  is_size_of_server: boolean
  observed_generation: number
  has_refused: boolean
  asked_at: Date | null
  connected_at: Date | null
  is_reachable: boolean
  is_behind: boolean
}
type Row = WayRow & { from_monthly_ft: bigint; from_limits: Limits; from_package_id: string | null }

/**
 * The newest change of an active server, with its delivery to the node; undefined if none has a generation. Call it
 * under the server's lock; it locks the rows that a report of the node would end, so that the report is either before
 * or after it.
 */
export async function lockNewestSize(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  server: ServerRecord,
): Promise<PendingSize | undefined> {
  await lockOpenUpdates(tx, server.id)
  const [newest] = await tx.query<{ id: string }>(
    `select id from control.modifications where server_id = $1 and reversed_at is null
     order by created_at desc, id desc limit 1 for update`,
    [server.id],
  )
  if (!newest) return undefined
  const nowMs = clock.now()
  const [row] = await tx.query<Row>(FACTS, [newest.id, new Date(nowMs - SESSION_LEASE_MS)])
  return row && pendingOf(row, nowMs)
}

/**
 * Orders the node's reports that would end an update before or after this transaction. Call it under the server's lock,
 * before the lock of the sale.
 */
export const lockOpenUpdates = (tx: Sql, serverId: string) =>
  tx.query(
    `select 1 from control.commands where server_id = $1 and kind = 'update' and state in ('pending', 'accepted') order by id for update`,
    [serverId],
  )

/**
 * The delivery facts of a sold size `m` of a server `s`: `own` are its columns, `sold` names the table, `$1` its id,
 * `$2` since when a node counts as connected. A failed or open update of a previous node says nothing about the current
 * one.
 */
export const factsFrom = (
  own: string,
  sold: string,
): string => `select m.id, m.user_id, m.generation, m.charge_ft, m.request_id,
    m.created_at, m.taken_at, ${own},
    coalesce(o.observed_generation, 0) as observed_generation,
    exists (select from control.commands c where c.server_id = s.id and c.node_id = s.node_id and c.kind = 'update'
      and c.state = 'failed' and c.generation >= m.generation) as has_refused,
    (select min(greatest(c.created_at, m.created_at)) from control.commands c where c.server_id = s.id and c.node_id = s.node_id
      and c.kind = 'update' and c.state in ('pending', 'accepted')) as asked_at,
    a.connected_at, coalesce(a.renewed_at > $2, false) as is_reachable,
    coalesce(a.behind_session is not distinct from a.session_id, false) as is_behind
  from ${sold} join control.servers s on s.id = m.server_id
    left join control.server_state o on o.server_id = s.id left join control.agent_sessions a on a.node_id = s.node_id
  where m.id = $1 and m.generation is not null`

const FACTS = factsFrom(
  `m.from_monthly_ft, m.from_limits, m.from_package_id, s.monthly_price_ft = m.to_monthly_ft
      and s.package_id is not distinct from m.to_package_id and m.to_limits @> jsonb_build_object(
      'cpuPercent', s.cpu_percent, 'memoryMiB', s.memory_mib, 'storageMiB', s.storage_mib) as is_size_of_server`,
  'control.modifications m',
)

const pendingOf = (row: Row, nowMs: number): PendingSize => ({
  id: row.id,
  userId: row.user_id,
  createdAtMs: row.created_at.getTime(),
  monthlyBefore: forints(row.from_monthly_ft),
  limitsBefore: row.from_limits,
  packageBefore: row.from_package_id,
  requestId: row.request_id,
  facts: factsOf(row, nowMs),
})

export const factsOf = (row: WayRow, nowMs: number): SizeOnItsWay => ({
  charge: forints(row.charge_ft),
  generation: row.generation,
  observedGeneration: row.observed_generation,
  wasTaken: row.taken_at !== null,
  isNewest: row.is_size_of_server,
  hasRefused: row.has_refused,
  askedSinceMs: row.asked_at?.getTime(),
  node: {
    isReachable: row.is_reachable,
    isBehind: row.is_behind,
    connectedAtMs: row.connected_at?.getTime() ?? nowMs,
  },
  nowMs,
})
