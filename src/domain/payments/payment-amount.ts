import { CURRENCIES, type Money } from '../billing/money.ts'

/**
 * An amount as stated by a provider: `minor` counts units of 10^-exponent of the currency, which the house may not use.
 * The scale belongs to the provider: the same forints are 199000 of exponent 2 there and 1990 of exponent 0 here.
 */
export type ObservedAmount = { readonly minor: bigint; readonly currency: string; readonly exponent: number }

/** One tariff of a provider that forwards less than the customer pays; `number` is the number to text or call. */
export type Tariff = {
  readonly kind: 'premium-sms' | 'premium-call'
  readonly paidFt: bigint
  readonly creditedFt: bigint
  readonly number: string
}

/** Our amount in a provider's scale. Throws RangeError if the provider's unit is coarser than ours. */
export function inProviderUnits({ minor, currency }: Money, exponent: number): bigint {
  const shift = exponent - CURRENCIES[currency].exponent
  if (shift < 0) throw new RangeError(`${currency} cannot be told in units of 10^-${exponent}`)
  return minor * 10n ** BigInt(shift)
}

/** The amount in the house's unit, or undefined for another currency or a fraction of that unit. */
export function inHouseUnits(
  { minor, currency, exponent }: ObservedAmount,
  house: Money['currency'],
): bigint | undefined {
  if (currency !== house) return undefined
  const shift = exponent - CURRENCIES[house].exponent
  if (shift < 0) return minor * 10n ** BigInt(-shift)
  const scale = 10n ** BigInt(shift)
  return minor % scale === 0n ? minor / scale : undefined
}

/** The provider's statement of an amount of ours. */
export function observedAmount(amount: Money, exponent = CURRENCIES[amount.currency].exponent): ObservedAmount {
  return { minor: inProviderUnits(amount, exponent), currency: amount.currency, exponent }
}
