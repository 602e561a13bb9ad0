import type { CollectionConfig } from 'payload'
import { administrator } from '../access/administrator.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { wholeNumber } from '../fields/whole-number.ts'
import { nodeUrl } from '../fields/node-url.ts'

export const Computers: CollectionConfig = {
  slug: 'computers',
  labels: { singular: words('Computer', 'Gép', 'Maschine'), plural: words('Computers', 'Gépek', 'Maschinen') },
  admin: { useAsTitle: 'name', group: groups.machines, defaultColumns: ['name', 'ip', 'url', 'orderable'] },
  access: { create: administrator, read: administrator, update: administrator, delete: administrator },
  fields: [
    { name: 'name', type: 'text', required: true, unique: true, maxLength: 60, label: words('Name', 'Név', 'Name') },
    { name: 'ip', type: 'text', required: true, maxLength: 45, label: words('IP address', 'IP-cím', 'IP-Adresse') },
    nodeUrl('url', {
      required: true,
      label: words('Agent address', 'Az ágens címe', 'Adresse des Agenten'),
    }),
    nodeUrl('proxmoxUrl', {
      required: false,
      label: words('Proxmox address', 'A Proxmox címe', 'Adresse von Proxmox'),
    }),
    {
      type: 'row',
      fields: [
        { name: 'city', type: 'text', maxLength: 60, label: words('City', 'Város', 'Stadt') },
        {
          name: 'country',
          type: 'text',
          maxLength: 2,
          label: words('Country code', 'Országkód', 'Ländercode'),
          validate: (value: string | null | undefined) => /^([A-Z]{2})?$/.test(value ?? '') || 'A-Z A-Z',
          admin: {
            description: words(
              'Two letters, such as HU. Customers see city and country when they rent.',
              'Két betű, például HU. Az ügyfelek bérléskor látják a várost és az országot.',
              'Zwei Buchstaben, zum Beispiel HU. Kunden sehen Stadt und Land beim Mieten.',
            ),
          },
        },
      ],
    },
    {
      type: 'row',
      fields: [
        wholeNumber('availableMemoryMiB', {
          min: 256,
          label: words('Available memory (MiB)', 'Elérhető memória (MiB)', 'Verfügbarer Arbeitsspeicher (MiB)'),
        }),
        wholeNumber('storageMiB', { min: 512, label: words('Storage (MiB)', 'Tárhely (MiB)', 'Speicherplatz (MiB)') }),
        wholeNumber('cores', { min: 1, label: words('Cores', 'Magok', 'Kerne') }),
      ],
    },
    {
      type: 'row',
      fields: [
        wholeNumber('startPort', { min: 1024, max: 65_535, label: words('First port', 'Első port', 'Erster Port') }),
        wholeNumber('portCount', {
          min: 1,
          max: 60_000,
          label: words('Number of ports', 'Portok száma', 'Anzahl der Ports'),
        }),
      ],
    },
    {
      name: 'orderable',
      type: 'checkbox',
      required: true,
      defaultValue: true,
      label: words('Accepts new servers', 'Új szerverek fogadása', 'Nimmt neue Server auf'),
      admin: { position: 'sidebar' },
    },
  ],
}
