import { assert } from '../kernel/assert.ts'
import { isLess, subtract, type Money } from './money.ts'
import { splitVat, type VatSplit } from './vat.ts'

/**
 * The tax in the returned part of a sale. `stands` is the part of the price that was not returned before; both in the
 * sale's currency, `back` at least 1 and at most `stands`. The tax of the remaining part is calculated before and
 * after, and the difference is returned: so the parts of any number of returns add up to the tax of the sale, and
 * nothing is left when the whole price is returned.
 */
export function splitOfReturn(stands: Money, back: Money, rateBasisPoints: bigint): VatSplit {
  assert(back.minor > 0n && !isLess(stands, back), 'No more is given back of a sale than what stands of it.')
  const before = splitVat(stands, rateBasisPoints)
  const after = splitVat(subtract(stands, back), rateBasisPoints)
  return { gross: back, net: subtract(before.net, after.net), vat: subtract(before.vat, after.vat) }
}
