import type { CollectionConfig } from 'payload'
import { GUIDE_TOPICS } from '#contracts/guides/topics.ts'
import { administrator } from '../access/administrator.ts'
import { publishedOrAdministrator } from '../access/published-or-administrator.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { slugField } from '../fields/slug-field.ts'

const topicLabels = {
  account: words('Account', 'Fiók', 'Konto'),
  balance: words('Balance', 'Egyenleg', 'Guthaben'),
  servers: words('Servers', 'Szerverek', 'Server'),
  services: words('Services', 'Szolgáltatások', 'Angebote'),
} as const

/**
 * Guides of the dashboard, one page for each topic. The page of a new ticket offers those that match what is typed: PostgreSQL
 * keeps the words of each in generated columns of its own (decision 99).
 */
export const Guides: CollectionConfig = {
  slug: 'guides',
  labels: {
    singular: words('Guide', 'Útmutató', 'Anleitung'),
    plural: words('Guides', 'Útmutatók', 'Anleitungen'),
  },
  admin: {
    useAsTitle: 'title',
    group: groups.content,
    defaultColumns: ['title', 'topic', 'position', 'published'],
    description: words(
      'Readers find them under their topic, by search, and while they write a ticket.',
      'Az olvasók a témájuk alatt, a keresőben és hibajegy írása közben találják meg őket.',
      'Leser finden sie unter ihrem Thema, über die Suche und beim Schreiben eines Tickets.',
    ),
  },
  defaultSort: 'position',
  access: { create: administrator, read: publishedOrAdministrator, update: administrator, delete: administrator },
  fields: [
    {
      name: 'title',
      type: 'text',
      required: true,
      localized: true,
      maxLength: 120,
      label: words('Title', 'Cím', 'Titel'),
    },
    slugField(),
    {
      name: 'topic',
      type: 'select',
      required: true,
      index: true,
      label: words('Topic', 'Téma', 'Thema'),
      options: GUIDE_TOPICS.map((value) => ({ value, label: topicLabels[value] })),
    },
    {
      name: 'summary',
      type: 'textarea',
      required: true,
      localized: true,
      maxLength: 240,
      label: words('Summary', 'Összefoglaló', 'Zusammenfassung'),
    },
    {
      name: 'body',
      type: 'richText',
      required: true,
      localized: true,
      label: words('Text', 'Szöveg', 'Text'),
    },
    {
      name: 'words',
      type: 'textarea',
      localized: true,
      maxLength: 500,
      label: words('Words to find it by', 'Szavak, amikre megtalálják', 'Wörter zum Finden'),
      admin: {
        description: words(
          'Words that readers may type and the text doesn’t contain, separated by spaces.',
          'Amit az olvasók beírhatnak, de a szövegben nem szerepel; szóközzel elválasztva.',
          'Was Leser eingeben können, aber im Text nicht vorkommt; durch Leerzeichen getrennt.',
        ),
      },
    },
    {
      name: 'position',
      type: 'number',
      required: true,
      defaultValue: 100,
      index: true,
      label: words('Position', 'Sorrend', 'Reihenfolge'),
    },
    {
      name: 'published',
      type: 'checkbox',
      defaultValue: false,
      index: true,
      label: words('Published', 'Közzétéve', 'Veröffentlicht'),
    },
  ],
}
