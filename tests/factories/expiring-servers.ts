import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { runLifetime, type LifetimeRun } from '../../control-plane/money/lifetime/run-lifetime.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { lifetimeContext } from './lifetime.ts'
import { paidServer } from './paid-server.ts'
import { openShop, shopDatabase, userWith } from './shop.ts'

export const START_MS = Date.UTC(2026, 5, 1)
export const EXPIRY_MS = START_MS + BILLING_MONTH_MS

export type Owner = { readonly userId: string; readonly serverId: string }

/** Servers of 990 Ft a month that are paid until `EXPIRY_MS`, their owners, and the run that processes them. */
export async function openExpiring() {
  const database = await shopDatabase()
  const shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  const server = async (userId: string, { auto }: { auto: boolean }): Promise<Owner> => {
    const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
    await database.owner.query('update control.servers set auto_renew = $2 where id = $1', [serverId, auto])
    return { userId, serverId }
  }
  /** An owner of some servers, with the given balance after their orders. */
  const ownerOf = async (count: number, { restFt, auto = true }: { restFt: bigint; auto?: boolean }) => {
    const userId = await userWith(database.db, 990n * BigInt(count) + restFt)
    await database.owner.query(
      `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
       values ($1, $2, 'acdefghj', $3, 'de', true, 'electronic', false, false)`,
      [userId, `u-${userId}`, `${userId}@example.test`],
    )
    const owned: Owner[] = []
    while (owned.length < count) owned.push(await server(userId, { auto }))
    return owned
  }
  const runAt = (nowMs: number, faults?: FaultPoint): Promise<LifetimeRun> =>
    runLifetime(lifetimeContext(database.db, { now: () => nowMs, ...(faults ? { faults } : {}) }))
  /** The notices that an owner got since the order, in order; a reminder includes its days. */
  const toldTo = async ({ userId }: Pick<Owner, 'userId'>): Promise<string[]> => {
    const rows = await database.owner.query<{ text: string; data: { days?: number } }>(
      `select text, data from control.notifications where user_id = $1 and created_at > $2 order by id`,
      [userId, new Date(START_MS)],
    )
    return rows.map(({ text, data }) => (data.days === undefined ? text : `${text} ${data.days}`))
  }
  const stateOf = async ({ serverId }: Owner) => {
    const [row] = await database.owner.query<{ desired: string; power: string; expiry: Date }>(
      'select desired, desired_power as power, expires_at as expiry from control.servers where id = $1',
      [serverId],
    )
    return row
  }
  /** Removes the servers of other tests from the run. */
  const rest = () => database.owner.query(`update control.servers set deleted_at = now(), desired = 'deleted'`)
  return { database, shop, ownerOf, runAt, toldTo, stateOf, rest }
}
