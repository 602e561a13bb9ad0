import { words } from '../../fields/languages.ts'

/** Coupons of the demo: one of each type, and an expired one. */
export const coupons = [
  {
    name: 'Welcome',
    code: 'WELCOME10',
    type: 'percentage',
    amount: 10,
    usage: 'once',
    maximumUsage: 1000,
    active: true,
  },
  {
    name: '500 Ft',
    code: 'BAKTER500',
    type: 'forint',
    amount: 500,
    usage: 'multiple',
    maximumUsage: 50,
    maximumPriceFt: 20_000,
    active: true,
  },
  {
    name: 'Summer 2025',
    code: 'SUMMER25',
    type: 'percentage',
    amount: 25,
    usage: 'once',
    validFrom: '2025-06-01T00:00:00.000Z',
    validTo: '2025-09-01T00:00:00.000Z',
    active: true,
  },
] as const

export const spinCoupons = [{ code: 'SPIN3', numberOfUses: 100, spins: 3, active: true }] as const

/** The demo sells spins, so that the complete screen is visible. */
export const prizeWheel = {
  prizes: [
    { type: 'nothing', amount: 0, weight: 400 },
    { type: 'money', amount: 50, weight: 200 },
    { type: 'coupon', amount: 5, weight: 150 },
    { type: 'reroll', amount: 0, weight: 120 },
    { type: 'money', amount: 200, weight: 60 },
    { type: 'coupon', amount: 20, weight: 50 },
    { type: 'money', amount: 1000, weight: 15 },
    { type: 'server', amount: 0, weight: 5 },
  ],
  buying: true,
  spinPriceFt: 200,
  legalNote: words(
    'A paid spin is a game of chance: you may win nothing. The odds are listed above. For adults only.',
    'A fizetett pörgetés szerencsejáték: előfordulhat, hogy semmit sem nyersz. Az esélyek fent láthatók. Csak nagykorúaknak.',
    'Eine gekaufte Drehung ist ein Glücksspiel: Es kann sein, dass du nichts gewinnst. Die Chancen stehen oben. Nur für Erwachsene.',
  ),
} as const
