import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocate, forints } from '#domain/billing/money.ts'
import { splitVat } from '#domain/billing/vat.ts'

const amount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
const weights = fc
  .array(fc.bigInt({ min: 0n, max: 1000n }), { minLength: 1, maxLength: 12 })
  .filter((list) => list.some((weight) => weight > 0n))

describe('money properties', () => {
  it('never loses a unit in an allocation, gives nothing to weight zero, and stays within one unit of the share', () => {
    fc.assert(
      fc.property(amount, weights, (minor, parts) => {
        const whole = parts.reduce((a, b) => a + b, 0n)
        const result = allocate(forints(minor), parts)
        expect(result.reduce((total, part) => total + part.minor, 0n)).toBe(minor)
        result.forEach((part, index) => {
          const weight = parts[index] ?? 0n
          if (weight === 0n) expect(part.minor).toBe(0n)
          const drift = part.minor - (minor * weight) / whole
          expect(drift >= -1n && drift <= 1n).toBe(true)
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('splits tax so that net + vat = gross and net is the nearest whole unit', () => {
    fc.assert(
      fc.property(amount, fc.bigInt({ min: 0n, max: 10_000n }), (gross, rate) => {
        const { net, vat } = splitVat(forints(gross), rate)
        expect(net.minor + vat.minor).toBe(gross)
        const error = net.minor * (10_000n + rate) - gross * 10_000n
        expect((error < 0n ? -error : error) * 2n <= 10_000n + rate).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
