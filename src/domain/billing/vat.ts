import { divideRounded, money, subtract, type Money } from './money.ts'

/** Rates are in basis points, so that no rate is a fraction. 2700 is the general rate in Hungary. */
export const HUNGARIAN_VAT_BASIS_POINTS = 2700n

export type VatSplit = { readonly gross: Money; readonly net: Money; readonly vat: Money }

/**
 * Splits a price that includes tax. The gross amount is what the customer agreed to, so it never changes: net is
 * rounded once (gross x 100 / 127 for 27 %) and the tax is the rest. net + vat = gross always.
 */
export function splitVat(gross: Money, rateBasisPoints: bigint = HUNGARIAN_VAT_BASIS_POINTS): VatSplit {
  if (rateBasisPoints < 0n) throw new RangeError('a tax rate cannot be negative')
  const net = money(divideRounded(gross.minor * 10_000n, 10_000n + rateBasisPoints), gross.currency)
  return { gross, net, vat: subtract(gross, net) }
}
