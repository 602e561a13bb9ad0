import { expect, it } from 'vitest'
import { DOCUMENT_CAUSES } from '#domain/billing/tax-point.ts'
import { rowOfSale, THINGS, tillPoints } from '../../../../../control-plane/money/things/things.ts'

it('no two things share the name that keys of requests are unique within', () => {
  expect(new Set(THINGS.map(({ name }) => name)).size).toBe(THINGS.length)
})

it('each kind of invoice but that of a top-up belongs to a thing, whose row says what was paid', () => {
  const rows = DOCUMENT_CAUSES.flatMap((cause) => (cause === 'top-up' ? [] : [rowOfSale(cause)]))
  expect(rows).toEqual([
    { table: 'orders', paid: 'total_ft' },
    { table: 'renewals', paid: 'total_ft' },
    { table: 'modifications', paid: 'charge_ft' },
    { table: 'premium_purchases', paid: 'price_ft' },
    { table: 'spin_purchases', paid: 'price_ft' },
  ])
})

it('each thing can be killed at its beginning, after its hold and after its commit', () => {
  for (const { name, points } of THINGS) {
    expect([name, points.begin, points.held, points.committed].map(Boolean)).toEqual([true, true, true, true])
  }
  expect(tillPoints()).toContain('order-settle.money-moved')
})
