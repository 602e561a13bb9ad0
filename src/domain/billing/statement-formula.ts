import { upgradeCharge } from './modification.ts'
import { forints } from './money.ts'
import { DAY_MS } from './period.ts'

/** The whole percentage behind a rounded discount, in whole forints; null below 100 Ft, where several would fit. */
export const discountPercentOf = (discountFt: number, ofFt: number): number | null =>
  ofFt >= 100 ? Math.round((discountFt * 100) / ofFt) : null

export type ExplainedUpgrade = {
  /** To two decimals: the price depends on the time and not on whole days. */
  readonly days: number
  /** Without the discount. */
  readonly wholeFt: number
  readonly discountFt: number
  /** Null without a discount, or if it is too small to determine. */
  readonly discountPercent: number | null
}

/**
 * How the charge of an upgrade was calculated: the remaining days (`leftMs` milliseconds of paid time), their price,
 * and the discount. All amounts in whole forints.
 */
export function explainUpgrade(change: {
  readonly fromMonthlyFt: bigint
  readonly toMonthlyFt: bigint
  readonly chargeFt: bigint
  readonly leftMs: number
}): ExplainedUpgrade {
  const { fromMonthlyFt, toMonthlyFt, chargeFt, leftMs } = change
  const { minor: wholeFt } = upgradeCharge(forints(toMonthlyFt - fromMonthlyFt), leftMs, 0)
  const discountFt = Number(wholeFt - chargeFt)
  return {
    days: Math.round((leftMs * 100) / DAY_MS) / 100,
    wholeFt: Number(wholeFt),
    discountFt,
    discountPercent: discountFt === 0 ? null : discountPercentOf(discountFt, Number(wholeFt)),
  }
}
