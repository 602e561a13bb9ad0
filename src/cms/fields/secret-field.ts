import type { FieldHook, TextField } from 'payload'
import { administrator } from '../access/administrator.ts'
import { sealEntered } from './seal-secret.ts'
import { words, type Words } from './languages.ts'

/**
 * The stored form is never returned over HTTP. The field itself must be readable, so that the admin shows whether it is
 * filled in. Our own reads see the sealed value: updates need it to keep it.
 */
const withhold: FieldHook = ({ overrideAccess, value }) => (overrideAccess ? (value as unknown) : null)

/** A secret that administrators enter and nobody reads: stored sealed, and an empty input keeps the stored one. */
export const secretField = (name: string, label: Words): TextField => ({
  name,
  type: 'text',
  maxLength: 400,
  label,
  access: { read: administrator, create: administrator, update: administrator },
  admin: {
    autoComplete: 'off',
    description: words(
      'Never shown, not even to you. Leave empty to keep the stored one.',
      'Senkinek sem látható, neked sem. Ha üresen hagyod, a tárolt érték marad.',
      'Für niemanden sichtbar, auch für dich nicht. Lass es leer, um den gespeicherten Wert zu behalten.',
    ),
  },
  hooks: { beforeChange: [sealEntered], afterRead: [withhold] },
})
