import type { PremiumView } from '../../../src/contracts/http/premium.ts'
import type { WheelView } from '../../../src/contracts/http/spin.ts'

const offer = (
  tier: PremiumView['offers'][number]['tier'],
  figures: readonly [number, number, number, number, number],
) => {
  const [backupSlots, subUsers, spins, discountPercent, priceFt] = figures
  return { tier, backupSlots, subUsers, spins, discountPercent, priceFt, days: 30 }
}

/** Premium of a customer without it. */
export const premiumOf = (balanceFt: number): PremiumView => ({
  tier: 'none',
  expiresAt: null,
  balanceFt,
  offers: [
    offer('none', [3, 2, 0, 0, 0]),
    offer('essentials', [7, 4, 1, 5, 990]),
    offer('maximus', [10, 8, 2, 10, 1990]),
    offer('ultimus', [15, 12, 4, 15, 3490]),
  ],
  losses: [],
})

/** A wheel with a free spin. */
export const wheelOf = (balanceFt: number): WheelView => ({
  isEnabled: true,
  spinCount: 1,
  nextFreeSpinAt: null,
  rerolls: 0,
  granted: 0,
  bought: 0,
  serverPackage: null,
  fields: [
    { id: 'nothing', type: 'nothing', amount: 0, weight: 3, basisPoints: 7500 },
    { id: 'money', type: 'money', amount: 100, weight: 1, basisPoints: 2500 },
  ],
  serverSeedHash: 'a'.repeat(64),
  buying: { isOn: true, priceFt: 200, most: 100 },
  legalNote: '',
  balanceFt,
  coupons: [],
})
