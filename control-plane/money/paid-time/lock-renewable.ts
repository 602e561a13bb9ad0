import { forints } from '#domain/billing/money.ts'
import type { PackagePlan } from '#domain/billing/package-change.ts'
import type { RenewableServer } from '#domain/billing/renewal.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import { lockInOrder } from '../ledger/lock-order.ts'

/** The planned package of a server, with its size. */
export type PlannedSize = PackagePlan & { readonly limits: Limits }

/** A server as input of its renewal. Times in epoch milliseconds. */
export type RenewableRow = RenewableServer & {
  readonly plan: PlannedSize | null
  readonly ownerId: string
  readonly name: string
  readonly product: LocalizedText
  readonly autoRenew: boolean
  readonly stoppedByExpiry: boolean
  readonly suspended: boolean
  readonly desiredPower: 'running' | 'stopped'
  /** Its order, or its test grant, is not settled yet, so its time has not begun. */
  readonly isBeingOrdered: boolean
  readonly createdAtMs: number
  /** When its owner was notified of this expiry; null before that. */
  readonly toldAtMs: number | null
}

type Row = {
  id: string
  owner_id: string
  name: string
  service_name: LocalizedText
  auto_renew: boolean
  is_test: boolean
  stopped_by_expiry: boolean
  suspended: boolean
  desired_power: 'running' | 'stopped'
  monthly_price_ft: bigint
  expires_at: Date
  created_at: Date
  told_at: Date | null
  is_being_ordered: boolean
  withdrawn_renewals: number
  planned_package_id: string | null
  planned_price_ft: bigint | null
  planned_limits: Limits | null
  planned_from: Date | null
}

const COLUMNS = `select s.id, s.owner_id, s.name, s.service_name, s.auto_renew, s.is_test, s.stopped_by_expiry, s.suspended,
    s.desired_power, s.monthly_price_ft, s.expires_at, s.created_at, s.planned_package_id, s.planned_price_ft, s.planned_limits,
    s.planned_from,
    (select n.created_at from control.lifetime_notices n
     where n.server_id = s.id and n.kind = 'expired' and n.period = s.expires_at) as told_at,
    exists (select from control.orders o where o.server_id = s.id and o.state = 'provisioning')
      or exists (select from control.test_servers t where t.server_id = s.id and t.settled_at is null) as is_being_ordered,
    (select count(*)::int from control.renewals r
     where r.server_id = s.id and r.period_start = s.expires_at and r.withdrawn_at is not null) as withdrawn_renewals
  from control.servers s where s.id = $1 and s.desired = 'installed' and s.deleted_at is null`

const planOf = (row: Row): PlannedSize | null => {
  const { planned_package_id: packageId, planned_price_ft: price, planned_limits: limits, planned_from: from } = row
  if (packageId === null || price === null || limits === null || from === null) return null
  return { packageId, monthly: forints(price), limits, fromMs: from.getTime() }
}

/** A server that is neither deleted nor about to be. */
export async function readRenewable(sql: Sql, serverId: string): Promise<RenewableRow | undefined> {
  const [row] = await sql.query<Row>(COLUMNS, [serverId])
  return (
    row && {
      id: row.id,
      ownerId: row.owner_id,
      name: row.name,
      product: row.service_name,
      autoRenew: row.auto_renew,
      isTest: row.is_test,
      stoppedByExpiry: row.stopped_by_expiry,
      suspended: row.suspended,
      desiredPower: row.desired_power,
      monthly: forints(row.monthly_price_ft),
      expiresAtMs: row.expires_at.getTime(),
      createdAtMs: row.created_at.getTime(),
      toldAtMs: row.told_at?.getTime() ?? null,
      isBeingOrdered: row.is_being_ordered,
      withdrawnRenewals: row.withdrawn_renewals,
      plan: planOf(row),
    }
  )
}

/**
 * The same with its row locked until the transaction ends: a concurrent renewal, stop or deletion waits, and reads
 * again.
 */
export async function lockRenewable(tx: Sql, serverId: string): Promise<RenewableRow | undefined> {
  await lockInOrder(tx, { server: serverId })
  return readRenewable(tx, serverId)
}
