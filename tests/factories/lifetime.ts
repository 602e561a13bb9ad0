import { createClockGuard, type ClockGuard } from '../../control-plane/money/lifetime/clock-guard.ts'
import type { LifetimeContext } from '../../control-plane/money/lifetime/lifetime-context.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import type { Database } from '#platform/postgres/database.ts'
import { grantTestServer } from '../../control-plane/money/lifetime/grant-test-server.ts'
import { settleOrder } from '../../control-plane/money/orders/settle-order.ts'
import type { ControlDatabase } from './control-database.ts'
import { callerOf, orderContext, userWith, type Shop } from './shop.ts'

/** A clock guard that always trusts the clock. */
export const stillClock = (): ClockGuard => ({
  mayBill: () => Promise.resolve(true),
  stopped: () => Promise.resolve(null),
  confirm: () => Promise.resolve(),
})

/** The external dependencies of the lifetime run in a test. */
export const lifetimeContext = (
  db: Database,
  {
    now,
    faults = async () => {},
    clockGuard = stillClock(),
  }: { now: () => number; faults?: FaultPoint; clockGuard?: ClockGuard },
): LifetimeContext => ({ ...orderContext(db, { now, faults }), mailSecret: 'the secret of mails', clockGuard })

/** A guard with manual clocks: each call is another start of the program. */
export const guardBy = (db: Database, clocks: { wallMs: number; steadyMs: number; referenceMs?: number }): ClockGuard =>
  createClockGuard(orderContext(db, { now: () => clocks.wallMs }), {
    steadyMs: () => clocks.steadyMs,
    referenceMs: () => Promise.resolve(clocks.referenceMs),
  })

type Granted = { readonly shop: Shop; readonly staffId: string; readonly moneyFt: bigint; readonly nowMs: number }

/** A customer with money, to whom staff granted a test server that is installed. */
export async function grantedTestServer(
  { db, owner }: Pick<ControlDatabase, 'db' | 'owner'>,
  { shop, staffId, moneyFt, nowMs }: Granted,
): Promise<{ userId: string; serverId: string }> {
  const userId = await userWith(db, moneyFt)
  await owner.query(
    `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
     values ($1, $2, 'acdefghj', $3, 'hu', true, 'electronic', false, false)`,
    [userId, `u-${userId}`, `${userId}@example.test`],
  )
  const context = orderContext(db, { now: () => nowMs })
  const granted = await grantTestServer(context, {
    caller: { ...callerOf(staffId), isSupport: true },
    wanted: { userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' },
    requestId: 'ticket-1',
  })
  if (!granted.ok) throw new Error(granted.code)
  const { serverId } = granted
  await settleOrder(context, { serverId, outcome: 'installed', reason: '' })
  return { userId, serverId }
}
