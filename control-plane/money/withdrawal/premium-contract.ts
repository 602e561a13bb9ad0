import type { LocalizedText } from '#contracts/locale.ts'
import { forints, subtract, type Money } from '#domain/billing/money.ts'
import { premiumName, type PremiumTier } from '#domain/billing/premium.ts'
import { spinsOfTier, withoutDiscounts, withoutUsedSpins, type Withdrawal } from '#domain/billing/withdrawal.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPrizeWheel } from '../../cms/sales-reader.ts'
import { lockSpinAccount, readSpinAccount, writeSpinAccount } from '../wheel/spin-account.ts'
import { readStandingDiscounts } from './premium-discounts.ts'

/** A tier as the product of a contract. */
export function premiumText(tier: PremiumTier): LocalizedText {
  const name = premiumName(tier)
  return { en: name, hu: name, de: name }
}

async function grantedSpins(sql: Sql, purchaseId: string): Promise<number> {
  const [row] = await sql.query<{ spins: bigint }>(
    'select coalesce(sum(spins), 0)::bigint as spins from control.spin_grants where starts_with(key, $1)',
    [`premium-spins:${purchaseId}:`],
  )
  return Number(row?.spins ?? 0)
}

/** The part that a withdrawal from a tier keeps besides the used time. */
export type KeptForTier = {
  readonly spins: Money
  readonly discounts: Money
  /** A server ordered with the discount is being installed, so the remaining discount is not final. */
  readonly isBeingInstalled: boolean
}
export const NOTHING_KEPT: KeptForTier = { spins: forints(0n), discounts: forints(0n), isBeingInstalled: false }

type Tier = { readonly withdrawal: Withdrawal; readonly userId: string; readonly purchaseId: string }

/** A withdrawal from a tier keeps the price of used free spins, and the discounts obtained with it. */
export async function keepWhatTierGave(
  sql: Sql,
  { withdrawal: whole, userId, purchaseId }: Tier,
): Promise<{ readonly withdrawal: Withdrawal; readonly keptFor: KeptForTier }> {
  const given = await grantedSpins(sql, purchaseId)
  const { granted } = await readSpinAccount(sql, userId)
  const price = forints(BigInt((await readPrizeWheel(sql)).spin_price_ft))
  const lessSpins = withoutUsedSpins(whole, { count: spinsOfTier({ given, left: granted }).used, price })
  const { discounts, isBeingInstalled } = await readStandingDiscounts(sql, purchaseId)
  const withdrawal = withoutDiscounts(lessSpins, discounts)
  const keptFor = {
    spins: subtract(whole.back, lessSpins.back),
    discounts: subtract(lessSpins.back, withdrawal.back),
    isBeingInstalled,
  }
  return { withdrawal, keptFor }
}

/** The tier ends now, and its unused free spins are removed. */
export async function endPremium(
  tx: Sql,
  { userId, purchaseId, nowMs }: { userId: string; purchaseId: string; nowMs: number },
): Promise<void> {
  const account = await lockSpinAccount(tx, userId)
  const given = await grantedSpins(tx, purchaseId)
  const { unused } = spinsOfTier({ given, left: account.granted })
  await writeSpinAccount(tx, { ...account, granted: account.granted - unused })
  await tx.query(
    `update control.premium_purchases set ended_at = coalesce(ended_at, $2), next_spins_at = null,
       expires_at = least(expires_at, greatest($2, started_at + interval '1 millisecond')) where id = $1`,
    [purchaseId, new Date(nowMs)],
  )
}
