import type { Money } from '#domain/billing/money.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { PlannedSize } from '../paid-time/lock-renewable.ts'

/** Stores the package that a server gets when its paid time ends, on its locked row; null forgets it. */
export const writePlan = (tx: Sql, serverId: string, plan: PlannedSize | null) =>
  tx.query(
    `update control.servers set planned_package_id = $2, planned_price_ft = $3, planned_limits = $4, planned_from = $5
     where id = $1`,
    [
      serverId,
      plan?.packageId ?? null,
      plan?.monthly.minor.toString() ?? null,
      plan === null ? null : JSON.stringify(plan.limits),
      plan === null ? null : new Date(plan.fromMs),
    ],
  )

/** A server that is back in a package of this price keeps only the plan of a cheaper one. */
export const dropDearerPlan = (tx: Sql, { serverId, monthly }: { serverId: string; monthly: Money }) =>
  tx.query(
    `update control.servers set planned_package_id = null, planned_price_ft = null, planned_limits = null, planned_from = null
     where id = $1 and planned_price_ft >= $2`,
    [serverId, monthly.minor.toString()],
  )
