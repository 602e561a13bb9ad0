import { assert } from '../kernel/assert.ts'
import { isLess, subtract, type Money } from './money.ts'
import { splitVat, type VatSplit } from './vat.ts'

/**
 * The tax in a part of a sale that is given back. `stands` is what of the price was not given back before; both in the sale's currency,
 * `back` at least 1 and at most `stands`. The tax of what stands is worked out before and after, and the difference is given back: so
 * the parts of any number of returns add up to the tax of the sale, and nothing is left when the whole price is back.
 */
export function splitOfReturn(stands: Money, back: Money, rateBasisPoints: bigint): VatSplit {
  assert(back.minor > 0n && !isLess(stands, back), 'No more is given back of a sale than what stands of it.')
  const before = splitVat(stands, rateBasisPoints)
  const after = splitVat(subtract(stands, back), rateBasisPoints)
  return { gross: back, net: subtract(before.net, after.net), vat: subtract(before.vat, after.vat) }
}
