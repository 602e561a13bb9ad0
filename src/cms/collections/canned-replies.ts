import type { CollectionConfig } from 'payload'
import { isBuilt } from '#contracts/features.ts'
import { staff } from '../access/staff.ts'
import { placeholderHint, refuseBadReply } from '../fields/canned-reply-text.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'

/** Replies that staff insert into tickets, in the language of the customer. All staff write them. */
export const CannedReplies: CollectionConfig = {
  slug: 'canned-replies',
  labels: {
    singular: words('Saved reply', 'Mentett válasz', 'Gespeicherte Antwort'),
    plural: words('Saved replies', 'Mentett válaszok', 'Gespeicherte Antworten'),
  },
  admin: {
    useAsTitle: 'title',
    group: isBuilt('tickets') ? false : groups.tickets,
    defaultColumns: ['title', 'text', 'active'],
    hideAPIURL: true,
    description: words(
      'Insert them into a reply with Ctrl+K. Write each in the languages of your customers.',
      'A válaszba Ctrl+K-val illesztheted be. Írd meg mindegyiket az ügyfeleid nyelvén.',
      'Füge sie mit Strg+K in eine Antwort ein. Schreibe jede in den Sprachen deiner Kunden.',
    ),
  },
  access: { create: staff, read: staff, update: staff, delete: staff },
  fields: [
    {
      name: 'title',
      type: 'text',
      required: true,
      localized: true,
      maxLength: 80,
      label: words('Title', 'Cím', 'Titel'),
    },
    {
      name: 'text',
      type: 'textarea',
      required: true,
      localized: true,
      label: words('Reply', 'Válasz', 'Antwort'),
      validate: refuseBadReply,
      admin: { rows: 10, description: placeholderHint },
    },
    { name: 'active', type: 'checkbox', defaultValue: true, label: words('Active', 'Aktív', 'Aktiv') },
  ],
}
