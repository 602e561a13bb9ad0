import type { GlobalConfig } from 'payload'
import { administrator } from '../access/administrator.ts'
import { anyone } from '../access/anyone.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'

export const Navigation: GlobalConfig = {
  slug: 'navigation',
  label: words('Navigation', 'Navigáció', 'Navigation'),
  admin: { group: groups.content },
  access: { read: anyone, update: administrator },
  fields: [
    {
      name: 'statusUrl',
      type: 'text',
      maxLength: 200,
      label: words('Uptime page', 'Állapotoldal címe', 'Statusseite'),
    },
    {
      name: 'footerLinks',
      type: 'array',
      maxRows: 20,
      label: words('Footer links', 'A lábléc hivatkozásai', 'Links der Fußzeile'),
      labels: {
        singular: words('Link', 'Hivatkozás', 'Link'),
        plural: words('Links', 'Hivatkozások', 'Links'),
      },
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
          name: 'link',
          type: 'text',
          required: true,
          maxLength: 300,
          label: words('Address', 'Hivatkozás', 'Adresse'),
          validate: (value: string | null | undefined) =>
            /^(\/(?!\/)|https?:\/\/|mailto:|tel:)/.test(value ?? '') || '/… https://… mailto: tel:',
        },
      ],
    },
  ],
}
