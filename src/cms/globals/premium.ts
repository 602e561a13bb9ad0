import type { GlobalConfig, GroupField } from 'payload'
import { administrator } from '../access/administrator.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { wholeNumber } from '../fields/whole-number.ts'

type Figures = {
  backupSlots: number
  subUsers: number
  freeSpins: number
  discountPercent: number
  priceFt: number
  days: number
}

/** The figures of specification section 6; `none` as in the clarifications, part 4. Staff set the prices. */
const TIERS: Readonly<Record<'none' | 'essentials' | 'maximus' | 'ultimus', Figures>> = {
  none: { backupSlots: 3, subUsers: 2, freeSpins: 0, discountPercent: 0, priceFt: 0, days: 30 },
  essentials: { backupSlots: 7, subUsers: 4, freeSpins: 1, discountPercent: 5, priceFt: 990, days: 30 },
  maximus: { backupSlots: 10, subUsers: 8, freeSpins: 2, discountPercent: 10, priceFt: 1990, days: 30 },
  ultimus: { backupSlots: 15, subUsers: 12, freeSpins: 4, discountPercent: 15, priceFt: 3490, days: 30 },
}

const figure = (name: keyof Figures, figures: Figures) =>
  ({
    backupSlots: wholeNumber(name, {
      max: 1000,
      defaultValue: figures[name],
      label: words('Backup slots', 'Mentési helyek', 'Backup-Plätze'),
    }),
    subUsers: wholeNumber(name, {
      max: 1000,
      defaultValue: figures[name],
      label: words('Sub-users per server', 'Alfelhasználók szerverenként', 'Unterbenutzer je Server'),
    }),
    freeSpins: wholeNumber(name, {
      max: 100,
      defaultValue: figures[name],
      label: words('Free spins every 30 days', 'Ingyenes pörgetés 30 naponta', 'Gratisdrehungen alle 30 Tage'),
    }),
    discountPercent: wholeNumber(name, {
      max: 100,
      defaultValue: figures[name],
      label: words('Discount (%)', 'Kedvezmény (%)', 'Rabatt (%)'),
    }),
    // A free order has nothing to charge.
    priceFt: wholeNumber(name, {
      min: 1,
      max: 10_000_000,
      defaultValue: figures[name],
      label: words('Price per period (Ft)', 'Egy időszak ára (Ft)', 'Preis eines Zeitraums (Ft)'),
    }),
    days: wholeNumber(name, {
      min: 1,
      max: 366,
      defaultValue: figures[name],
      label: words('Days per period', 'Egy időszak napjai', 'Tage eines Zeitraums'),
    }),
  })[name]

const tier = (name: keyof typeof TIERS, label: string): GroupField => ({
  name,
  type: 'group',
  label: name === 'none' ? words('Without premium', 'Prémium nélkül', 'Ohne Premium') : label,
  fields: [
    {
      type: 'row',
      fields: (['backupSlots', 'subUsers', 'freeSpins', 'discountPercent', 'priceFt', 'days'] as const)
        .filter((each) => name !== 'none' || (each !== 'priceFt' && each !== 'days'))
        .map((each) => figure(each, TIERS[name])),
    },
  ],
})

export const Premium: GlobalConfig = {
  slug: 'premium',
  label: words('Premium tiers', 'Prémium szintek', 'Premium-Stufen'),
  admin: { group: groups.sales },
  access: { read: administrator, update: administrator },
  fields: [tier('none', ''), tier('essentials', 'Essentials'), tier('maximus', 'Maximus'), tier('ultimus', 'Ultimus')],
}
