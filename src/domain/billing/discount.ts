import { divideRounded, money, type Money } from './money.ts'

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
