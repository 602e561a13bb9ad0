import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forints, sum } from '#domain/billing/money.ts'
import { splitVat, splitVatOfLines } from '#domain/billing/vat.ts'

const RATES = fc.constantFrom(2700n, 2550n, 2100n, 1900n, 1700n, 0n)
const LINES = fc.array(fc.bigInt({ min: -(10n ** 7n), max: 10n ** 7n }), { minLength: 1, maxLength: 30 })
const currency = 'HUF'

it('T71: lines have net + vat = gross, make the total of the document, and are less than a forint off their exact share', () => {
  fc.assert(
    fc.property(LINES, RATES, (amounts, rateBasisPoints) => {
      const gross = amounts.map((amount) => forints(amount))
      const { lines, total } = splitVatOfLines(gross, { rateBasisPoints, currency })
      expect(total).toEqual(splitVat(sum(gross, currency), rateBasisPoints))
      for (const part of ['gross', 'net', 'vat'] as const) {
        const parts = lines.map((line) => line[part])
        expect(sum(parts, currency)).toEqual(total[part])
      }
      for (const [index, line] of lines.entries()) {
        expect(line.gross).toEqual(gross[index])
        expect(line.net.minor + line.vat.minor).toBe(line.gross.minor)
        const off = line.net.minor * (10_000n + rateBasisPoints) - line.gross.minor * 10_000n
        expect(off < 10_000n + rateBasisPoints && -off < 10_000n + rateBasisPoints).toBe(true)
      }
    }),
  )
})

it('T71: three lines of 580 Ft hold the tax of 1740 Ft, not three times that of 580 Ft', () => {
  const { lines, total } = splitVatOfLines([forints(580n), forints(580n), forints(580n)], {
    rateBasisPoints: 2700n,
    currency,
  })
  expect(total.net).toEqual(forints(1370n))
  expect(lines.map(({ net }) => net.minor)).toEqual([457n, 457n, 456n])
})

it('T71: a price without tax has none, and 27 % of the net never differs from the tax by a forint', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), (gross) => {
      expect(splitVat(forints(gross), 0n)).toEqual({ gross: forints(gross), net: forints(gross), vat: forints(0n) })
      const { net, vat } = splitVat(forints(gross), 2700n)
      const off = net.minor * 2700n - vat.minor * 10_000n
      expect(off < 10_000n && off > -10_000n).toBe(true)
    }),
  )
})
