import * as z from 'zod'
import { ServerSpec } from '#contracts/agent/server-spec.ts'
import { LocalizedText } from '#contracts/locale.ts'
import { assert } from '#domain/kernel/assert.ts'
import { SERVER_STATES, type ServerState } from '#domain/servers/server-lifecycle.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** A server's desired state, with its last observed state. Times in epoch milliseconds. */
export type ServerRecord = {
  readonly id: string
  readonly identifier: string
  readonly ownerId: string
  readonly nodeId: string
  readonly serviceId: string
  readonly packageId: string | null
  readonly templateId: string
  readonly name: string
  readonly description: string
  readonly generation: number
  readonly desired: 'installed' | 'deleted'
  readonly desiredPower: 'running' | 'stopped'
  readonly spec: ServerSpec
  readonly serviceName: LocalizedText
  readonly cpuPercent: number
  readonly memoryMiB: number
  readonly storageMiB: number
  readonly monthlyPriceFt: number
  readonly suspended: boolean
  readonly suspendedReason: string | null
  readonly highlighted: boolean
  readonly expiresAtMs: number
  readonly deletedAtMs: number | null
  readonly createdAtMs: number
  readonly state: ServerState
  readonly observedGeneration: number
  readonly installed: boolean
  readonly stateSinceMs: number
}

const moment = z.date().transform((date) => date.getTime())
const Row = z
  .object({
    id: z.string(),
    identifier: z.string(),
    owner_id: z.string(),
    node_id: z.string(),
    service_id: z.string(),
    package_id: z.string().nullable(),
    template_id: z.string(),
    name: z.string(),
    description: z.string(),
    generation: z.int(),
    desired: z.enum(['installed', 'deleted']),
    desired_power: z.enum(['running', 'stopped']),
    spec: ServerSpec,
    service_name: LocalizedText,
    cpu_percent: z.int(),
    memory_mib: z.int(),
    storage_mib: z.int(),
    monthly_price_ft: z.coerce.number().int(),
    suspended: z.boolean(),
    suspended_reason: z.string().nullable(),
    highlighted: z.boolean(),
    expires_at: moment,
    deleted_at: moment.nullable(),
    created_at: moment,
    state: z.enum(SERVER_STATES),
    observed_generation: z.int(),
    installed: z.boolean(),
    since: moment,
  })
  .transform((row): ServerRecord => ({
    id: row.id,
    identifier: row.identifier,
    ownerId: row.owner_id,
    nodeId: row.node_id,
    serviceId: row.service_id,
    packageId: row.package_id,
    templateId: row.template_id,
    name: row.name,
    description: row.description,
    generation: row.generation,
    desired: row.desired,
    desiredPower: row.desired_power,
    spec: row.spec,
    serviceName: row.service_name,
    cpuPercent: row.cpu_percent,
    memoryMiB: row.memory_mib,
    storageMiB: row.storage_mib,
    monthlyPriceFt: row.monthly_price_ft,
    suspended: row.suspended,
    suspendedReason: row.suspended_reason,
    highlighted: row.highlighted,
    expiresAtMs: row.expires_at,
    deletedAtMs: row.deleted_at,
    createdAtMs: row.created_at,
    state: row.state,
    observedGeneration: row.observed_generation,
    installed: row.installed,
    stateSinceMs: row.since,
  }))

/** The desired state of a server in its node's wire format. */
export const specFor = (server: ServerRecord): ServerSpec => ({
  ...server.spec,
  generation: server.generation,
  suspended: server.suspended,
  expiresAtMs: server.expiresAtMs,
})

const SELECT = `select s.*, coalesce(o.state, 'creating') as state, coalesce(o.observed_generation, 0) as observed_generation,
    coalesce(o.installed, false) as installed, coalesce(o.since, s.created_at) as since
  from control.servers s left join control.server_state o on o.server_id = s.id`

/** Servers that match a condition on `s` (control.servers) and `o` (control.server_state). */
export async function readServers(sql: Sql, where: string, values: readonly unknown[]): Promise<ServerRecord[]> {
  return z.array(Row).parse(await sql.query<Record<string, unknown>>(`${SELECT} where ${where}`, values))
}

/** A server that has not been deleted. */
export async function findServer(sql: Sql, id: string): Promise<ServerRecord | undefined> {
  return (await readServers(sql, 's.id = $1 and s.deleted_at is null', [id]))[0]
}

/** The server with its row locked until the transaction ends, deleted ones too. */
export async function lockServer(tx: Sql, id: string): Promise<ServerRecord | undefined> {
  await tx.query('select 1 from control.servers where id = $1 for no key update', [id])
  return (await readServers(tx, 's.id = $1', [id]))[0]
}

/** Sets whether the server should run. The generation stays: power is not part of the specification. */
export async function setDesiredPower(tx: Sql, serverId: string, power: 'running' | 'stopped'): Promise<void> {
  await tx.query('update control.servers set desired_power = $2 where id = $1', [serverId, power])
}

/** Raises the generation with a changed specification, so that the node applies it. Returns the new generation. */
export async function changeSpec(tx: Sql, serverId: string, change: Partial<ServerSpec>): Promise<number> {
  const [row] = await tx.query<{ generation: number }>(
    `update control.servers set generation = generation + 1,
       spec = spec || $2::jsonb || jsonb_build_object('generation', generation + 1)
     where id = $1 returning generation`,
    [serverId, JSON.stringify(change)],
  )
  assert(row, 'the server exists')
  return row.generation
}

/** Suspends a server, or ends its suspension. The node stops it, and nothing starts it meanwhile. */
export async function setSuspended(tx: Sql, serverId: string, reason: string | null): Promise<void> {
  await tx.query('update control.servers set suspended = $2, suspended_reason = $3 where id = $1', [
    serverId,
    reason !== null,
    reason,
  ])
  await changeSpec(tx, serverId, { suspended: reason !== null })
}

/**
 * Requests the deletion of a server. The generation rises, because the tombstone must be higher than the node's
 * (SPEC.md A11).
 */
export async function requestDeletion(tx: Sql, serverId: string): Promise<void> {
  await tx.query(
    `update control.servers set desired = 'deleted', desired_power = 'stopped', generation = generation + 1,
       spec = spec || jsonb_build_object('generation', generation + 1)
     where id = $1 and desired <> 'deleted'`,
    [serverId],
  )
}

/** The node confirmed the deletion: ports are free again, the row stays as the tombstone. */
export async function markDeleted(tx: Sql, serverId: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  await tx.query('update control.servers set deleted_at = coalesce(deleted_at, $2) where id = $1', [serverId, now])
  await tx.query('update control.allocations set server_id = null, is_primary = false where server_id = $1', [serverId])
  await tx.query(
    `update control.server_state set state = 'deleted', installed = false, since = $2, updated_at = $2 where server_id = $1`,
    [serverId, now],
  )
}

/** Everybody who sees a server: its owner first, then its sub-users whose share has not ended. */
export async function readersOf(sql: Sql, serverId: string): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>(
    `select owner_id as user_id, 0 as rank from control.servers where id = $1
     union all select user_id, 1 from control.server_users
       where server_id = $1 and (ends_at is null or ends_at > clock_timestamp())
     order by rank, user_id`,
    [serverId],
  )
  return [...new Set(rows.map((row) => row.user_id))]
}
