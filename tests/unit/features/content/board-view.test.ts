import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boardOf } from '../../../../src/features/content/board-view.ts'
import type { Product } from '../../../../src/features/content/landing-view.ts'

const product = (slug: string, change: Partial<Product> = {}): Product => ({
  slug,
  name: slug,
  description: '',
  category: 'gameServer',
  fromPriceFt: 990,
  packageId: null,
  available: true,
  banner: null,
  ...change,
})
const slugs = (products: readonly Product[]) => products.map(({ slug }) => slug)

test('the first four available products with a price are large, all others small', () => {
  const { large, small } = boardOf([
    product('a'),
    product('later', { available: false }),
    product('sized', { fromPriceFt: null }),
    product('b'),
    product('c'),
    product('d'),
    product('e'),
  ])
  expect(slugs(large)).toEqual(['a', 'b', 'c', 'd'])
  expect(slugs(small)).toEqual(['later', 'sized', 'e'])
})

test.each([
  [0, 1],
  [1, 1],
  [3, 3],
  [4, 4],
  [5, 4],
  [6, 3],
  [8, 4],
  [9, 3],
])('%i small windows stand in rows of %i', (count, columns) => {
  const products = Array.from({ length: count }, (_, at) => product(String(at), { available: false }))
  expect(boardOf(products).columns).toBe(columns)
})

test('every product has one window', () => {
  const products = fc.array(
    fc.record({ available: fc.boolean(), fromPriceFt: fc.option(fc.integer({ min: 1, max: 9_999 })) }),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(products, (facts) => {
      const all = facts.map((fact, at) => product(String(at), fact))
      const { large, small, columns } = boardOf(all)
      expect(slugs([...large, ...small]).toSorted()).toEqual(slugs(all).toSorted())
      expect(12 % columns).toBe(0)
    }),
  )
})
