import type { CollectionConfig } from 'payload'
import { administrator } from '../access/administrator.ts'
import { publishedOrAdministrator } from '../access/published-or-administrator.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'

export const News: CollectionConfig = {
  slug: 'news',
  labels: { singular: words('News item', 'Hír', 'Neuigkeit'), plural: words('News', 'Hírek', 'Neuigkeiten') },
  admin: { useAsTitle: 'title', group: groups.content, defaultColumns: ['title', 'published', 'createdAt'] },
  access: { create: administrator, read: publishedOrAdministrator, update: administrator, delete: administrator },
  fields: [
    {
      name: 'title',
      type: 'text',
      required: true,
      localized: true,
      maxLength: 160,
      label: words('Title', 'Cím', 'Titel'),
    },
    {
      name: 'description',
      type: 'textarea',
      required: true,
      localized: true,
      maxLength: 5000,
      label: words('Description', 'Leírás', 'Beschreibung'),
    },
    { name: 'banner', type: 'upload', relationTo: 'media', label: words('Banner', 'Fejléckép', 'Banner') },
    {
      name: 'published',
      type: 'checkbox',
      defaultValue: false,
      index: true,
      label: words('Published', 'Közzétéve', 'Veröffentlicht'),
    },
  ],
}
