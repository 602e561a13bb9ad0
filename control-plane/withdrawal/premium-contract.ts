import type { LocalizedText } from '#contracts/locale.ts'
import { forints } from '#domain/billing/money.ts'
import { withoutUsedSpins, type Withdrawal } from '#domain/billing/withdrawal.ts'
import type { Sql } from '../platform/postgres.ts'
import { readPrizeWheel } from '../store/sales-reader.ts'
import { lockSpinAccount, readSpinAccount, writeSpinAccount } from '../wheel/spin-account.ts'

/** The name of a tier on everything that is written about it. */
export function premiumText(tier: string): LocalizedText {
  const name = `Premium ${tier[0]?.toUpperCase() ?? ''}${tier.slice(1)}`
  return { en: name, hu: name, de: name }
}

async function grantedSpins(sql: Sql, purchaseId: string): Promise<number> {
  const [row] = await sql.query<{ spins: bigint }>(
    'select coalesce(sum(spins), 0)::bigint as spins from control.spin_grants where starts_with(key, $1)',
    [`premium-spins:${purchaseId}:`],
  )
  return Number(row?.spins ?? 0)
}

/** A withdrawal from a tier keeps the price of its free spins that were used. */
export async function keepUsedSpins(
  sql: Sql,
  { withdrawal, userId, purchaseId }: { withdrawal: Withdrawal; userId: string; purchaseId: string },
): Promise<Withdrawal> {
  const given = await grantedSpins(sql, purchaseId)
  const { granted } = await readSpinAccount(sql, userId)
  const price = forints(BigInt((await readPrizeWheel(sql)).spin_price_ft))
  return withoutUsedSpins(withdrawal, { count: given - Math.min(given, granted), price })
}

/** The tier ends now, and its free spins that were not used go with it. */
export async function endPremium(
  tx: Sql,
  { userId, purchaseId, nowMs }: { userId: string; purchaseId: string; nowMs: number },
): Promise<void> {
  const account = await lockSpinAccount(tx, userId)
  const given = await grantedSpins(tx, purchaseId)
  await writeSpinAccount(tx, { ...account, granted: account.granted - Math.min(given, account.granted) })
  await tx.query(
    `update control.premium_purchases set ended_at = coalesce(ended_at, $2), next_spins_at = null,
       expires_at = least(expires_at, greatest($2, started_at + interval '1 millisecond')) where id = $1`,
    [purchaseId, new Date(nowMs)],
  )
}
