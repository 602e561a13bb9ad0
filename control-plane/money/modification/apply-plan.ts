import { isPlanDue, planAfterRenewal } from '#domain/billing/package-change.ts'
import { assert } from '#domain/kernel/assert.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { resizeServer } from '../../servers/placement/resize-server.ts'
import { hasRoomFor } from '../../servers/placement/room.ts'
import { findServer } from '../../servers/store/server-store.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { RenewableRow } from '../paid-time/lock-renewable.ts'
import { writePlan } from './planned-package.ts'

type Planned = { readonly server: RenewableRow; readonly requestId: string }

/**
 * Puts a server into its planned package once the paid time in the present one has ended, and notifies its owner. Returns whether it
 * did: a package that is larger in memory or storage waits until the node has room for it.
 */
export async function applyDuePlan(tx: Sql, context: MoneyContext, { server, requestId }: Planned): Promise<boolean> {
  const { id: serverId, ownerId: userId, plan } = server
  if (plan === null || !isPlanDue(server, context.clock.now())) return false
  const record = await findServer(tx, serverId)
  assert(record, 'The server is locked and exists.')
  const { limits, packageId, monthly } = plan
  if (!(await hasRoomFor(tx, record, limits))) {
    context.log.error({ serverId, packageId }, 'the node has no room for a planned package')
    return false
  }
  await resizeServer(tx, context, { server: record, limits, packageId, monthly, requestId })
  await writePlan(tx, serverId, null)
  const detail = { packageId, monthlyFt: Number(monthly.minor) }
  const done = { type: 'server.package-changed', status: 'success', doneBy: 'system', detail } as const
  await recordActivity(tx, context, { userId, serverId, ...done })
  const data = { sid: serverId, name: record.name, amount: detail.monthlyFt }
  await notifyUser(tx, context, { userId, text: 'server.package-changed', data, requestId })
  return true
}

/** A renewal pays for the planned package: its price holds from the start of the period, which may have passed already. */
export async function startPlan(
  tx: Sql,
  context: MoneyContext,
  { server, periodStartMs, periodEndMs, requestId }: Planned & { periodStartMs: number; periodEndMs: number },
): Promise<void> {
  const plan = planAfterRenewal(server, periodStartMs)
  if (plan === null) return
  await writePlan(tx, server.id, plan)
  await applyDuePlan(tx, context, { server: { ...server, plan, expiresAtMs: periodEndMs }, requestId })
}
