import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitOfReturn } from '#domain/billing/given-back.ts'
import { forints } from '#domain/billing/money.ts'
import { splitVat } from '#domain/billing/vat.ts'

it('T71: returns of a sale in any parts hold exactly its tax, and never less than none', () => {
  const parts = fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(parts, fc.constantFrom(2700n, 2550n, 1900n, 0n), (amounts, rate) => {
      let stands = amounts.reduce((all, amount) => all + amount, 0n)
      const whole = splitVat(forints(stands), rate)
      let [net, vat] = [0n, 0n]
      for (const amount of amounts) {
        const split = splitOfReturn(forints(stands), forints(amount), rate)
        expect(split.net.minor + split.vat.minor).toBe(amount)
        expect(split.net.minor >= 0n && split.vat.minor >= 0n).toBe(true)
        ;[net, vat, stands] = [net + split.net.minor, vat + split.vat.minor, stands - amount]
      }
      expect([net, vat]).toEqual([whole.net.minor, whole.vat.minor])
    }),
  )
})

it('refuses to give back nothing, and more than stands', () => {
  expect(() => splitOfReturn(forints(10n), forints(0n), 2700n)).toThrow('No more is given back')
  expect(() => splitOfReturn(forints(10n), forints(11n), 2700n)).toThrow('No more is given back')
})
