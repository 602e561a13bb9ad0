import { divideRounded, forints, money, type Money } from './money.ts'

/** Whether a discount is a whole number of percent from 0 to 100. */
export const isPercent = (percent: number): boolean => Number.isInteger(percent) && percent >= 0 && percent <= 100

/**
 * A share of an amount in whole percent, rounded once. Throws RangeError unless `percent` is a whole number from 0 to
 * 100.
 */
export function percentOf(amount: Money, percent: number): Money {
  if (!isPercent(percent)) throw new RangeError('a discount is 0 to 100 whole percent')
  return money(divideRounded(amount.minor * BigInt(percent), 100n), amount.currency)
}

/**
 * The amount that a discount of whole percent takes off the monthly renewals of several servers, in forints. Each renewal is rounded on its own, as
 * it is charged (`renewalPrice`).
 */
export const monthlySavingFt = (monthlyPricesFt: readonly number[], percent: number): number =>
  monthlyPricesFt.reduce((sum, priceFt) => sum + Number(percentOf(forints(BigInt(priceFt)), percent).minor), 0)
