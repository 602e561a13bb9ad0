import type { TextField } from 'payload'
import { words } from './languages.ts'

const pattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** A stable name for addresses, pictures and demo content: lower-case letters, digits and hyphens, never translated. */
export const slugField = (): TextField => ({
  name: 'slug',
  type: 'text',
  label: words('URL name', 'Név az URL-ben', 'Name in der URL'),
  required: true,
  unique: true,
  index: true,
  maxLength: 60,
  validate: (value: string | null | undefined) => (typeof value === 'string' && pattern.test(value)) || 'a-z 0-9 -',
  admin: { position: 'sidebar' },
})
