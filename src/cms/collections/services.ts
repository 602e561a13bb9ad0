import type { CollectionConfig, GroupField } from 'payload'
import { SERVICE_DRAWINGS, type ServiceDrawing } from '#contracts/pictures.ts'
import { administrator } from '../access/administrator.ts'
import { nobody } from '../access/nobody.ts'
import { orderableOrAdministrator } from '../access/orderable-or-administrator.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'
import { offerSwitches } from '../fields/offer-switches.ts'
import { slugField } from '../fields/slug-field.ts'
import { wholeNumber } from '../fields/whole-number.ts'
import { showAvailability } from '../hooks/service-availability.ts'

const resourceRange = (name: string, label: Words): GroupField => ({
  name,
  type: 'group',
  label,
  fields: [
    {
      type: 'row',
      fields: [
        wholeNumber('minimum', { required: false, label: words('Minimum', 'Legkevesebb', 'Minimum') }),
        wholeNumber('maximum', { required: false, label: words('Maximum', 'Legtöbb', 'Maximum') }),
        wholeNumber('step', { required: false, min: 1, label: words('Step', 'Lépésköz', 'Schritt') }),
        wholeNumber('unitPriceFt', {
          required: false,
          label: words('Price per step (Ft per month)', 'Egy lépés ára (Ft/hó)', 'Preis je Schritt (Ft im Monat)'),
        }),
      ],
    },
  ],
})

const drawingNames: Record<ServiceDrawing, Words | string> = {
  minecraft: words('Block hills (Minecraft)', 'Kockadombok (Minecraft)', 'Blockhügel (Minecraft)'),
  arma: words('Radio mast (Arma)', 'Rádiótorony (Arma)', 'Funkmast (Arma)'),
  csgo: words('Gate (CS:GO)', 'Kapu (CS:GO)', 'Tor (CS:GO)'),
  conan: words(
    'Fire in the desert (Conan Exiles)',
    'Tűz a sivatagban (Conan Exiles)',
    'Feuer in der Wüste (Conan Exiles)',
  ),
  mta: words('Palm street (MTA)', 'Pálmás utca (MTA)', 'Palmenstraße (MTA)'),
  fivem: words('Night city (FiveM)', 'Éjszakai város (FiveM)', 'Stadt bei Nacht (FiveM)'),
  vps: words('Server racks (VPS)', 'Szerverszekrények (VPS)', 'Serverschränke (VPS)'),
  bot: words('Desk lamp (Bot)', 'Asztali lámpa (Bot)', 'Schreibtischlampe (Bot)'),
}

export const Services: CollectionConfig = {
  slug: 'services',
  labels: {
    singular: words('Service', 'Szolgáltatás', 'Angebot'),
    plural: words('Services', 'Szolgáltatások', 'Angebote'),
  },
  admin: {
    useAsTitle: 'name',
    group: groups.catalog,
    defaultColumns: ['name', 'category', 'orderable', 'availability', 'highlighted', 'position'],
  },
  defaultSort: 'position',
  access: { create: administrator, read: orderableOrAdministrator, update: administrator, delete: administrator },
  fields: [
    { name: 'name', type: 'text', required: true, localized: true, maxLength: 80, label: words('Name', 'Név', 'Name') },
    slugField(),
    {
      name: 'description',
      type: 'textarea',
      localized: true,
      maxLength: 600,
      label: words('Description', 'Leírás', 'Beschreibung'),
    },
    {
      name: 'category',
      type: 'select',
      required: true,
      index: true,
      label: words('Category', 'Kategória', 'Kategorie'),
      options: [
        { value: 'gameServer', label: words('Game server', 'Játékszerver', 'Gameserver') },
        { value: 'vps', label: 'VPS' },
        { value: 'bot', label: words('Bot', 'Bot', 'Bot') },
        { value: 'other', label: words('Other', 'Egyéb', 'Sonstiges') },
      ],
    },
    {
      name: 'serverTemplate',
      type: 'relationship',
      relationTo: 'templates',
      label: words('Server template', 'Szerversablon', 'Servervorlage'),
    },
    {
      name: 'machine',
      type: 'relationship',
      relationTo: 'computers',
      hasMany: true,
      label: words('Computers', 'Gépek', 'Maschinen'),
      access: { read: administrator },
      admin: {
        description: words(
          'Empty: any computer that accepts new servers.',
          'Üresen: bármelyik gép, amely új szervert fogad.',
          'Leer: jede Maschine, die neue Server aufnimmt.',
        ),
      },
    },
    {
      name: 'drawing',
      type: 'select',
      label: words('Drawing', 'Rajz', 'Zeichnung'),
      options: SERVICE_DRAWINGS.map((value) => ({ value, label: drawingNames[value] })),
      admin: {
        description: words(
          'Shown as banner and icon wherever there is no picture of your own below.',
          'Ez látszik fejlécképként és ikonként, ahol lent nincs saját kép.',
          'Wird als Banner und Symbol gezeigt, wo unten kein eigenes Bild steht.',
        ),
      },
    },
    {
      type: 'row',
      fields: [
        { name: 'banner', type: 'upload', relationTo: 'media', label: words('Banner', 'Fejléckép', 'Banner') },
        { name: 'icon', type: 'upload', relationTo: 'media', label: words('Icon', 'Ikon', 'Symbol') },
      ],
    },
    {
      name: 'packages',
      type: 'join',
      collection: 'packages',
      on: 'service',
      label: words('Packages', 'Csomagok', 'Pakete'),
      admin: { defaultColumns: ['name', 'pricePerMonthFt', 'orderable'] },
    },
    {
      name: 'resources',
      type: 'group',
      label: words('Custom size', 'Egyedi méret', 'Eigene Größe'),
      fields: [
        resourceRange('cpuPercent', words('Processor (%)', 'Processzor (%)', 'Prozessor (%)')),
        resourceRange('ramMiB', words('Memory (MiB)', 'Memória (MiB)', 'Arbeitsspeicher (MiB)')),
        resourceRange('storageMiB', words('Storage (MiB)', 'Tárhely (MiB)', 'Speicherplatz (MiB)')),
      ],
    },
    {
      name: 'operatingSystems',
      type: 'array',
      label: words('Operating systems', 'Operációs rendszerek', 'Betriebssysteme'),
      labels: {
        singular: words('Operating system', 'Operációs rendszer', 'Betriebssystem'),
        plural: words('Operating systems', 'Operációs rendszerek', 'Betriebssysteme'),
      },
      admin: { condition: (data) => data.category === 'vps' },
      fields: [
        { name: 'name', type: 'text', required: true, label: words('Name', 'Név', 'Name') },
        {
          name: 'templateId',
          type: 'text',
          required: true,
          label: words('Template ID', 'Sablonazonosító', 'Vorlagen-ID'),
        },
      ],
    },
    {
      name: 'points',
      type: 'group',
      label: words('Pricing by points', 'Pont alapú árazás', 'Preis nach Punkten'),
      fields: [
        {
          type: 'row',
          fields: [
            wholeNumber('pointsCount', { required: false, label: words('Points', 'Pontok száma', 'Punkte') }),
            wholeNumber('minimumPoint', { required: false, label: words('Minimum', 'Legkevesebb pont', 'Minimum') }),
            wholeNumber('pricePerPointFt', {
              required: false,
              label: words('Price per point (Ft per month)', 'Egy pont ára (Ft/hó)', 'Preis je Punkt (Ft im Monat)'),
            }),
          ],
        },
      ],
    },
    {
      name: 'availability',
      type: 'text',
      virtual: true,
      label: words('On this installation', 'Ezen a telepítésen', 'Auf dieser Installation'),
      access: { create: nobody, read: administrator, update: nobody },
      hooks: { afterRead: [showAvailability] },
      admin: { readOnly: true, disableListFilter: true, position: 'sidebar' },
    },
    ...offerSwitches,
    {
      ...wholeNumber('position', { defaultValue: 100, label: words('Position', 'Sorrend', 'Reihenfolge') }),
      admin: { position: 'sidebar' },
    },
  ],
}
