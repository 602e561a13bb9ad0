import type { CollectionConfig } from 'payload'
import { administrator } from '../access/administrator.ts'
import { orderableOrAdministrator } from '../access/orderable-or-administrator.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { offerSwitches } from '../fields/offer-switches.ts'
import { wholeNumber } from '../fields/whole-number.ts'

export const Packages: CollectionConfig = {
  slug: 'packages',
  labels: { singular: words('Package', 'Csomag', 'Paket'), plural: words('Packages', 'Csomagok', 'Pakete') },
  admin: {
    useAsTitle: 'name',
    group: groups.catalog,
    defaultColumns: ['name', 'service', 'pricePerMonthFt', 'orderable', 'highlighted'],
  },
  defaultSort: 'pricePerMonthFt',
  access: { create: administrator, read: orderableOrAdministrator, update: administrator, delete: administrator },
  fields: [
    { name: 'name', type: 'text', required: true, localized: true, maxLength: 80, label: words('Name', 'Név', 'Name') },
    {
      name: 'description',
      type: 'textarea',
      localized: true,
      maxLength: 600,
      label: words('Description', 'Leírás', 'Beschreibung'),
    },
    {
      name: 'service',
      type: 'relationship',
      relationTo: 'services',
      required: true,
      label: words('Server type', 'Szervertípus', 'Servertyp'),
    },
    wholeNumber('pricePerMonthFt', {
      max: 10_000_000,
      label: words('Price per month (Ft)', 'Havi díj (Ft)', 'Preis im Monat (Ft)'),
    }),
    {
      type: 'row',
      fields: [
        wholeNumber('cpuPercent', {
          min: 10,
          max: 10_000,
          label: words('Processor (% of a core)', 'Processzor (mag %-a)', 'Prozessor (% eines Kerns)'),
        }),
        wholeNumber('ramMiB', { min: 64, label: words('Memory (MiB)', 'Memória (MiB)', 'Arbeitsspeicher (MiB)') }),
        wholeNumber('storageMiB', { min: 64, label: words('Storage (MiB)', 'Tárhely (MiB)', 'Speicherplatz (MiB)') }),
      ],
    },
    ...offerSwitches,
  ],
}
