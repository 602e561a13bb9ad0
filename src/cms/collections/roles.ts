import type { CollectionConfig } from 'payload'
import { administrator } from '../access/administrator.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { slugField } from '../fields/slug-field.ts'
import { endAccessByRole } from '../hooks/end-access.ts'
import { keepWhileUsed } from '../hooks/keep-while-used.ts'
import { guardRole, guardRoleDeletion, keepAdministrator } from '../hooks/role-rules.ts'

export const Roles: CollectionConfig = {
  slug: 'roles',
  labels: { singular: words('Role', 'Szerepkör', 'Rolle'), plural: words('Roles', 'Szerepkörök', 'Rollen') },
  admin: { useAsTitle: 'name', group: groups.people, defaultColumns: ['name', 'isAdmin', 'isSupport', 'active'] },
  access: { create: administrator, read: administrator, update: administrator, delete: administrator },
  hooks: {
    beforeChange: [guardRole],
    afterChange: [keepAdministrator, endAccessByRole],
    beforeDelete: [
      keepWhileUsed({
        collection: 'users',
        field: 'role',
        sentence: words(
          "This role can't be deleted: users have it.",
          'Vannak felhasználók ezzel a szerepkörrel, ezért nem törölhető.',
          'Benutzer haben diese Rolle: Sie kann nicht gelöscht werden.',
        ),
      }),
      guardRoleDeletion,
    ],
  },
  fields: [
    { name: 'name', type: 'text', required: true, maxLength: 60, label: words('Name', 'Név', 'Name') },
    slugField(),
    {
      name: 'isAdmin',
      type: 'checkbox',
      defaultValue: false,
      label: words('Administrator', 'Adminisztrátor', 'Administrator'),
    },
    { name: 'isSupport', type: 'checkbox', defaultValue: false, label: words('Support', 'Ügyfélszolgálat', 'Support') },
    {
      name: 'active',
      type: 'checkbox',
      required: true,
      defaultValue: true,
      label: words('Active', 'Aktív', 'Aktiv'),
      admin: {
        description: words(
          'An inactive role grants nothing.',
          'Az inaktív szerepkör semmire sem jogosít.',
          'Eine inaktive Rolle gewährt keine Rechte.',
        ),
      },
    },
    {
      name: 'ticketCategories',
      type: 'relationship',
      relationTo: 'ticket-categories',
      hasMany: true,
      label: words('Ticket categories', 'Hibajegy-kategóriák', 'Ticketkategorien'),
    },
    {
      name: 'twoFactorRequired',
      type: 'checkbox',
      defaultValue: false,
      label: words('Two-step sign-in required', 'Kétlépcsős azonosítás kötelező', 'Zweistufige Anmeldung erforderlich'),
    },
  ],
}
