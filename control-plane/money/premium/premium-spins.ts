import { dueSpinGrants, PREMIUM_DAYS } from '#domain/billing/premium.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { PremiumPurchase } from './premium-store.ts'
import { grantSpins } from '../wheel/spin-account.ts'

/** Grants the due free spins of a purchase that were not granted yet, and stores when the next ones are due. */
export async function grantDueSpins(
  tx: Sql,
  { userId, purchase, nowMs }: { userId: string; purchase: PremiumPurchase; nowMs: number },
): Promise<void> {
  const due = dueSpinGrants(purchase, purchase.spins, nowMs)
  for (const { key, spins } of due) await grantSpins(tx, { key, spins, userId, atMs: nowMs })
  const nextMs = purchase.startedAtMs + due.length * PREMIUM_DAYS * DAY_MS
  const isLast = purchase.spins === 0 || nextMs >= purchase.expiresAtMs
  await tx.query('update control.premium_purchases set next_spins_at = $2 where id = $1', [
    purchase.id,
    isLast ? null : new Date(nextMs),
  ])
}
