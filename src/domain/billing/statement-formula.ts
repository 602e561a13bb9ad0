import { upgradeCharge } from './modification.ts'
import { forints } from './money.ts'
import { DAY_MS } from './period.ts'

/** The whole percentage that a rounded discount was made by, in whole forints; null below 100 Ft, where several would fit. */
export const discountPercentOf = (discountFt: number, ofFt: number): number | null =>
  ofFt >= 100 ? Math.round((discountFt * 100) / ofFt) : null

export type ExplainedUpgrade = {
  /** To two decimals: the price goes by the time and not by whole days. */
  readonly days: number
  /** Without the discount. */
  readonly wholeFt: number
  readonly discountFt: number
  /** Null where there is no discount, or where it is too small to tell. */
  readonly discountPercent: number | null
}

/**
 * How the charge for more resources came about: the days that were left (`leftMs` milliseconds of paid time), what they cost, and what a discount took
 * off. All amounts in whole forints.
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
