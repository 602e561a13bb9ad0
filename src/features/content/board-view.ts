import type { Product } from './landing-view.ts'

const MAX_LARGE = 4
const MAX_COLUMNS = 4

export type BoardView = {
  readonly large: readonly Product[]
  readonly small: readonly Product[]
  /** Small windows in a row, so that no row stays half empty where that can be had. */
  readonly columns: number
}

const columnsFor = (count: number): number => {
  if (count <= MAX_COLUMNS) return Math.max(count, 1)
  return [MAX_COLUMNS, 3].find((columns) => count % columns === 0) ?? MAX_COLUMNS
}

/** The windows of the landing page's sign: large are the first available products that have a price. */
export const boardOf = (products: readonly Product[]): BoardView => {
  const large = products.filter(({ available, fromPriceFt }) => available && fromPriceFt !== null).slice(0, MAX_LARGE)
  const small = products.filter((product) => !large.includes(product))
  return { large, small, columns: columnsFor(small.length) }
}
