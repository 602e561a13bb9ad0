import { expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { splitVat } from '#domain/billing/vat.ts'

it.each([
  [990n, 780n, 210n],
  [580n, 457n, 123n],
  [1200n, 945n, 255n],
  [1500n, 1181n, 319n],
  [127n, 100n, 27n],
  [0n, 0n, 0n],
])('splits %s Ft with 27 %% into net %s and tax %s', (gross, net, vat) => {
  expect(splitVat(forints(gross), 2700n)).toEqual({ gross: forints(gross), net: forints(net), vat: forints(vat) })
})

it('refuses a negative rate', () => {
  expect(() => splitVat(forints(1n), -1n)).toThrow(RangeError)
})
