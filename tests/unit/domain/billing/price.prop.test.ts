import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { quote } from '#domain/billing/price.ts'

it('never prices below zero, adds up to its parts, and grows with months', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.integer({ min: 1, max: 6 }), (price, months) => {
      const offer = { kind: 'package', pricePerMonth: forints(price) } as const
      const priced = quote({ offer, months, chosen: {}, currency: 'HUF' })
      if (!priced.ok) throw new Error(priced.code)
      expect(priced.total.minor).toBe(price * BigInt(months))
    }),
  )
})
