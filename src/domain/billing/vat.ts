import { divideRounded, money, subtract, sum, type CurrencyCode, type Money } from './money.ts'

export type VatSplit = { readonly gross: Money; readonly net: Money; readonly vat: Money }

/**
 * Splits a price that includes tax by a rate in basis points, so that no rate is a fraction. The gross amount was
 * agreed with the customer, so it never changes: net is rounded once (gross x 100 / 127 for 27 %) and the tax is the
 * rest. net + vat = gross always.
 */
export function splitVat(gross: Money, rateBasisPoints: bigint): VatSplit {
  if (rateBasisPoints < 0n) throw new RangeError('a tax rate cannot be negative')
  const net = money(divideRounded(gross.minor * 10_000n, 10_000n + rateBasisPoints), gross.currency)
  return { gross, net, vat: subtract(gross, net) }
}

export type VatLines = { readonly lines: readonly VatSplit[]; readonly total: VatSplit }

/**
 * Splits the lines of one document that share a rate. The tax is calculated once, from the document's total, as the
 * ledger posts it; each line's net is its exact share rounded down, and the remaining forints go to the largest
 * remainders. So every line has net + vat = gross, the lines add up to the total, and no line is a whole forint away
 * from its exact share. Lines may be negative.
 */
export function splitVatOfLines(
  grossLines: readonly Money[],
  { rateBasisPoints, currency }: { readonly rateBasisPoints: bigint; readonly currency: CurrencyCode },
): VatLines {
  const total = splitVat(sum(grossLines, currency), rateBasisPoints)
  const whole = 10_000n + rateBasisPoints
  const shares = grossLines.map(({ minor }, index) => {
    const net = floorDivide(minor * 10_000n, whole)
    return { index, net, remainder: minor * 10_000n - net * whole }
  })
  const missing = total.net.minor - shares.reduce((before, { net }) => before + net, 0n)
  const raised = new Set(
    shares
      .toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index)
      .slice(0, Number(missing))
      .map(({ index }) => index),
  )
  const lines = shares.map(({ index, net }) => {
    const gross = money(grossLines[index]?.minor ?? 0n, currency)
    const rounded = money(raised.has(index) ? net + 1n : net, currency)
    return { gross, net: rounded, vat: subtract(gross, rounded) }
  })
  return { lines, total }
}

/** Rounds towards minus infinity; `denominator` is positive. */
function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator % denominator < 0n ? quotient - 1n : quotient
}
