import type { CollectionConfig } from 'payload'
import { isBuilt } from '#contracts/features.ts'
import { administrator } from '../access/administrator.ts'
import { staff } from '../access/staff.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { slugField } from '../fields/slug-field.ts'

export const TicketCategories: CollectionConfig = {
  slug: 'ticket-categories',
  labels: {
    singular: words('Category', 'Kategória', 'Kategorie'),
    plural: words('Categories', 'Kategóriák', 'Kategorien'),
  },
  // Once the pages of tickets are built, their own menu names the categories too: Payload cannot add pages to a group of its own.
  admin: {
    useAsTitle: 'name',
    group: isBuilt('tickets') ? false : groups.tickets,
    defaultColumns: ['name', 'active', 'updatedAt'],
    // Support works here, and has no use for the document as JSON.
    hideAPIURL: true,
  },
  access: { create: administrator, read: staff, update: administrator, delete: administrator },
  fields: [
    { name: 'name', type: 'text', required: true, localized: true, maxLength: 80, label: words('Name', 'Név', 'Name') },
    slugField(),
    { name: 'active', type: 'checkbox', defaultValue: true, label: words('Active', 'Aktív', 'Aktiv') },
  ],
}
