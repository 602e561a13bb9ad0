import type { ArrayField, GlobalConfig } from 'payload'
import { PRIZE_TYPES } from '#domain/prizes/wheel.ts'
import { administrator } from '../access/administrator.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'
import { wholeNumber } from '../fields/whole-number.ts'

const prizeLabels: Readonly<Record<(typeof PRIZE_TYPES)[number], Words>> = {
  money: words('Money', 'Pénz', 'Geld'),
  reroll: words('Another spin', 'Újrapörgetés', 'Noch eine Drehung'),
  server: words('Server', 'Szerver', 'Server'),
  coupon: words('Coupon', 'Kupon', 'Gutschein'),
  nothing: words('Nothing', 'Semmi', 'Nichts'),
}

const prizes: ArrayField = {
  name: 'prizes',
  type: 'array',
  maxRows: 24,
  label: words('Prizes', 'Nyeremények', 'Gewinne'),
  labels: { singular: words('Prize', 'Nyeremény', 'Gewinn'), plural: words('Prizes', 'Nyeremények', 'Gewinne') },
  admin: {
    description: words(
      'The chance of a prize is its share of all weights. Customers see it.',
      'Az esély a nyeremény súlya az összes súlyhoz képest. Az ügyfelek látják.',
      'Die Chance ist das Gewicht des Gewinns unter allen Gewichten. Kunden sehen sie.',
    ),
  },
  fields: [
    {
      type: 'row',
      fields: [
        {
          name: 'type',
          type: 'select',
          required: true,
          label: words('Type', 'Típus', 'Art'),
          options: PRIZE_TYPES.map((value) => ({ value, label: prizeLabels[value] })),
        },
        wholeNumber('amount', {
          required: false,
          max: 1_000_000,
          label: words('Forints or percent', 'Forint vagy százalék', 'Forint oder Prozent'),
          boundsBeside: ({ type }) => {
            if (type === 'money') return [1, 1_000_000]
            return type === 'coupon' ? [1, 100] : undefined
          },
        }),
        wholeNumber('weight', { min: 1, max: 1_000_000, label: words('Weight', 'Súly', 'Gewicht') }),
      ],
    },
  ],
}

/** Settings of the wheel. Buying is off until staff switch it on: a paid draw is gambling in some countries. */
export const PrizeWheel: GlobalConfig = {
  slug: 'prize-wheel',
  label: words('Prize wheel', 'Szerencsekerék', 'Glücksrad'),
  admin: { group: groups.sales },
  access: { read: administrator, update: administrator },
  fields: [
    prizes,
    {
      name: 'serverPackage',
      type: 'relationship',
      relationTo: 'packages',
      label: words('Package of the prize "server"', 'A „szerver” nyeremény csomagja', 'Paket des Gewinns „Server“'),
    },
    {
      name: 'buying',
      type: 'checkbox',
      required: true,
      defaultValue: false,
      label: words('Spins can be bought', 'Pörgetés vásárolható', 'Drehungen können gekauft werden'),
    },
    wholeNumber('spinPriceFt', {
      min: 1,
      max: 1_000_000,
      defaultValue: 200,
      label: words('Price per spin (Ft)', 'Egy pörgetés ára (Ft)', 'Preis einer Drehung (Ft)'),
    }),
    {
      name: 'blockedCountries',
      type: 'text',
      hasMany: true,
      label: words(
        'Not sold in these countries',
        'Ezekben az országokban nem eladó',
        'In diesen Ländern nicht verkauft',
      ),
      validate: (value: unknown) =>
        value === null ||
        value === undefined ||
        (Array.isArray(value) && value.every((code) => typeof code === 'string' && /^[A-Z]{2}$/.test(code))) ||
        'HU, DE, AT …',
    },
    {
      name: 'legalNote',
      type: 'textarea',
      localized: true,
      maxLength: 1000,
      label: words('Legal note', 'Jogi tájékoztató', 'Rechtlicher Hinweis'),
      admin: {
        description: words(
          'Shown where spins are sold. In some countries, Hungary among them, a paid draw is gambling: have the rules checked before you sell spins.',
          'A pörgetések vásárlásánál jelenik meg. Egyes országokban, köztük Magyarországon a fizetett sorsolás szerencsejáték: ellenőriztesd a szabályokat, mielőtt pörgetést árulsz.',
          'Steht dort, wo Drehungen verkauft werden. In manchen Ländern, auch in Ungarn, ist eine bezahlte Ziehung Glücksspiel: Lass die Regeln prüfen, bevor du Drehungen verkaufst.',
        ),
      },
    },
  ],
}
