import type { GlobalConfig, GroupField } from 'payload'
import { administrator } from '../access/administrator.ts'
import { anyone } from '../access/anyone.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'

const legalDocument = (name: string, label: Words): GroupField => ({
  name,
  type: 'group',
  label,
  fields: [
    {
      name: 'version',
      type: 'text',
      required: true,
      defaultValue: '1',
      maxLength: 20,
      label: words('Version', 'Változat', 'Fassung'),
    },
    { name: 'effectiveFrom', type: 'date', label: words('Effective from', 'Hatályos', 'Gültig ab') },
    {
      name: 'title',
      type: 'text',
      required: true,
      localized: true,
      maxLength: 120,
      label: words('Title', 'Cím', 'Titel'),
    },
    { name: 'body', type: 'richText', localized: true, label: words('Text', 'Szöveg', 'Text') },
  ],
})

/** Consents are recorded with the version of the document, so the version changes with every change of meaning. */
export const Documents: GlobalConfig = {
  slug: 'documents',
  label: words('Documents', 'Dokumentumok', 'Dokumente'),
  admin: { group: groups.content },
  access: { read: anyone, update: administrator },
  fields: [
    legalDocument(
      'terms',
      words('Terms of service', 'Általános szerződési feltételek', 'Allgemeine Geschäftsbedingungen'),
    ),
    legalDocument('privacy', words('Privacy policy', 'Adatkezelési tájékoztató', 'Datenschutzerklärung')),
  ],
}
