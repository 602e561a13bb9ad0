import type { CollectionConfig } from 'payload'
import { administrator } from '../access/administrator.ts'
import { codeField } from '../fields/code-field.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { momentField } from '../fields/moment-field.ts'
import { wholeNumber } from '../fields/whole-number.ts'

/** Codes that grant spins of the prize wheel, once per customer. */
export const SpinCoupons: CollectionConfig = {
  slug: 'spin-coupons',
  labels: {
    singular: words('Spin coupon', 'Pörgetőkupon', 'Dreh-Gutschein'),
    plural: words('Spin coupons', 'Pörgetőkuponok', 'Dreh-Gutscheine'),
  },
  admin: { useAsTitle: 'code', group: groups.sales, defaultColumns: ['code', 'numberOfUses', 'spins', 'active'] },
  access: { create: administrator, read: administrator, update: administrator, delete: administrator },
  fields: [
    codeField(),
    wholeNumber('numberOfUses', {
      min: 1,
      max: 1_000_000,
      label: words('Number of uses', 'Felhasználások száma', 'Anzahl der Verwendungen'),
    }),
    wholeNumber('spins', {
      min: 1,
      max: 100,
      defaultValue: 1,
      label: words('Spins per use', 'Pörgetés felhasználásonként', 'Drehungen je Verwendung'),
    }),
    momentField('expiration', words('Expiration', 'Lejárat', 'Ablauf')),
    {
      name: 'active',
      type: 'checkbox',
      required: true,
      defaultValue: true,
      label: words('Active', 'Aktív', 'Aktiv'),
      admin: { position: 'sidebar' },
    },
  ],
}
