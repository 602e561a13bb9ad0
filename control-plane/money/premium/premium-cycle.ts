import { TIER_NAMES } from '#domain/billing/premium.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { PURCHASE_COLUMNS, purchaseOf, type PurchaseRow } from './premium-store.ts'
import { grantDueSpins } from './premium-spins.ts'

const BATCH = 100

/**
 * Grants the free spins of each 30 days and ends expired tiers. A tier ends on time whether or not this has run; this
 * only announces it. A failed step is logged and does not stop the others.
 */
export async function runPremiumCycle(context: MoneyContext): Promise<number> {
  const due = await context.db.query<{ id: string }>(
    `select id from control.premium_purchases
     where ended_at is null and (expires_at <= $1 or next_spins_at <= $1) order by expires_at limit $2`,
    [new Date(context.clock.now()), BATCH],
  )
  let done = 0
  for (const { id } of due) {
    try {
      await context.db.transaction((tx) => advance(tx, context, id))
      done += 1
    } catch (error) {
      context.log.error({ purchaseId: id, reason: String(error) }, 'a premium tier could not be advanced')
    }
  }
  return done
}

/** Ends an expired tier of one person, so that the next one can be bought. */
export async function endIfOver(tx: Sql, context: Pick<Context, 'ids' | 'clock'>, userId: string): Promise<void> {
  const [row] = await tx.query<{ id: string }>(
    'select id from control.premium_purchases where user_id = $1 and ended_at is null and expires_at <= $2',
    [userId, new Date(context.clock.now())],
  )
  if (row) await advance(tx, context, row.id)
}

async function advance(tx: Sql, context: Pick<Context, 'ids' | 'clock'>, id: string): Promise<void> {
  const [row] = await tx.query<PurchaseRow>(
    `select ${PURCHASE_COLUMNS} from control.premium_purchases where id = $1 and ended_at is null for update`,
    [id],
  )
  if (!row) return
  const nowMs = context.clock.now()
  const purchase = purchaseOf(row)
  const userId = row.user_id
  await grantDueSpins(tx, { userId, purchase, nowMs })
  if (purchase.expiresAtMs > nowMs) return
  await tx.query('update control.premium_purchases set ended_at = $2 where id = $1', [id, new Date(nowMs)])
  const detail = { tier: purchase.tier }
  await recordActivity(tx, context, { userId, type: 'premium.ended', status: 'success', detail })
  const data = { product: TIER_NAMES[purchase.tier] }
  await notifyUser(tx, context, { userId, text: 'premium.expired', data, requestId: `premium:${id}` })
}
