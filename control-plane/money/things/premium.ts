import { premiumName, type PremiumTier } from '#domain/billing/premium.ts'
import { soldThing } from './sold-thing.ts'

/** A premium tier for some days. */
export const PREMIUM = soldThing<{ readonly tier: PremiumTier; readonly days: number }>({
  name: 'premium',
  ledger: 'premium',
  statement: 'premium',
  document: 'premium',
  news: 'premium',
  invoice: 'premium',
  row: { table: 'premium_purchases', paid: 'price_ft' },
  key: ({ id }) => `premium:${id}`,
  reason: ({ tier }) => `Premium ${tier}`,
  invoiceText: ({ tier, days }) => {
    const name = premiumName(tier)
    return { en: `${name}, ${days} days`, hu: `${name}, ${days} nap`, de: `${name}, ${days} Tage` }
  },
  bought: ({ tier, totalFt }) => ({ activity: { type: 'premium.bought', detail: { tier, priceFt: totalFt } } }),
  points: { begin: 'premium.begin', held: 'premium.charged', done: 'premium.written', committed: 'premium.committed' },
})
