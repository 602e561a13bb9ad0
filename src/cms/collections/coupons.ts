import type { CollectionConfig } from 'payload'
import { COUPON_TYPES, COUPON_USAGES } from '#domain/billing/coupon.ts'
import { administrator } from '../access/administrator.ts'
import { nobody } from '../access/nobody.ts'
import { codeField } from '../fields/code-field.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'
import { endsAfter, momentField } from '../fields/moment-field.ts'
import { wholeNumber } from '../fields/whole-number.ts'
import { showUses } from '../hooks/coupon-uses.ts'

const typeLabels: Readonly<Record<(typeof COUPON_TYPES)[number], Words>> = {
  percentage: words('Percentage', 'Százalék', 'Prozent'),
  forint: words('Forints', 'Forint', 'Forint'),
}
const usageLabels: Readonly<Record<(typeof COUPON_USAGES)[number], Words>> = {
  once: words('Once per customer', 'Ügyfelenként egyszer', 'Einmal je Kunde'),
  multiple: words('Up to the maximum usage', 'A felhasználási korlátig többször', 'Bis zur Höchstzahl'),
}

/** Coupons of orders (specification section 3). The control plane counts their uses. */
export const Coupons: CollectionConfig = {
  slug: 'coupons',
  labels: { singular: words('Coupon', 'Kupon', 'Gutschein'), plural: words('Coupons', 'Kuponok', 'Gutscheine') },
  admin: {
    useAsTitle: 'name',
    group: groups.sales,
    defaultColumns: ['name', 'code', 'type', 'amount', 'uses', 'validTo', 'active'],
  },
  access: { create: administrator, read: administrator, update: administrator, delete: administrator },
  fields: [
    { name: 'name', type: 'text', required: true, maxLength: 80, label: words('Name', 'Név', 'Name') },
    codeField(),
    {
      type: 'row',
      fields: [
        {
          name: 'type',
          type: 'select',
          required: true,
          defaultValue: 'percentage',
          label: words('Type', 'Típus', 'Art'),
          options: COUPON_TYPES.map((value) => ({ value, label: typeLabels[value] })),
        },
        wholeNumber('amount', {
          min: 1,
          label: words('Discount', 'Kedvezmény', 'Rabatt'),
          boundsBeside: ({ type }) => [1, type === 'percentage' ? 100 : 10_000_000],
        }),
      ],
    },
    {
      type: 'row',
      fields: [
        momentField('validFrom', words('Valid from', 'Érvényes ettől', 'Gültig ab')),
        {
          ...momentField('validTo', words('Valid until', 'Érvényes eddig', 'Gültig bis')),
          validate: endsAfter('validFrom'),
        },
        { ...momentField('expiration', words('Expiration', 'Lejárat', 'Ablauf')), validate: endsAfter('validFrom') },
      ],
    },
    wholeNumber('maximumPriceFt', {
      required: false,
      min: 1,
      label: words('Only for orders up to (Ft)', 'Legfeljebb ekkora rendeléshez (Ft)', 'Nur für Bestellungen bis (Ft)'),
    }),
    wholeNumber('maximumUsage', {
      required: false,
      min: 1,
      label: words('Maximum usage', 'Felhasználások legnagyobb száma', 'Höchstzahl der Verwendungen'),
    }),
    {
      name: 'usage',
      type: 'select',
      required: true,
      defaultValue: 'once',
      label: words('Usage', 'Felhasználás', 'Verwendung'),
      options: COUPON_USAGES.map((value) => ({ value, label: usageLabels[value] })),
    },
    {
      name: 'uses',
      type: 'number',
      virtual: true,
      label: words('Used', 'Felhasználva', 'Verwendet'),
      access: { create: nobody, update: nobody },
      hooks: { afterRead: [showUses] },
      admin: {
        readOnly: true,
        disableListFilter: true,
        description: words(
          'Orders that used it, including those still being installed.',
          'Rendelések, amelyek felhasználták, a telepítés alatt állókkal együtt.',
          'Bestellungen, die ihn verwendet haben, auch solche in Installation.',
        ),
      },
    },
    {
      name: 'services',
      type: 'relationship',
      relationTo: 'services',
      hasMany: true,
      label: words('Services (empty: all)', 'Szolgáltatások (üresen: mind)', 'Angebote (leer: alle)'),
    },
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
