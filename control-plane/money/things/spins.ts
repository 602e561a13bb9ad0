import { soldThing } from './sold-thing.ts'

/** Spins of the prize wheel. */
export const SPINS = soldThing<{ readonly count: number }>({
  name: 'spins',
  ledger: 'spins',
  statement: 'spin',
  document: 'spins',
  news: 'spin',
  invoice: 'spin',
  row: { table: 'spin_purchases', paid: 'price_ft' },
  key: ({ id }) => `spins:${id}`,
  reason: ({ count }) => `Spins of the wheel: ${count}`,
  invoiceText: ({ count }) => ({
    en: `Prize wheel spins: ${count}`,
    hu: `Szerencsekerék-pörgetés: ${count} db`,
    de: `Drehungen am Glücksrad: ${count}`,
  }),
  bought: ({ count, totalFt }) => ({ activity: { type: 'spins.bought', detail: { count, priceFt: totalFt } } }),
  points: { begin: 'spins.begin', held: 'spins.charged', done: 'spins.written', committed: 'spins.committed' },
})
