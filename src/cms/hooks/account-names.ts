import type { CollectionBeforeChangeHook } from 'payload'
import { newIdentifier } from '../fields/new-identifier.ts'

/** Names and e-mail addresses are unique regardless of case, because only their lower-case form is stored. */
export const lowerCaseNames: CollectionBeforeChangeHook = ({ data }) => {
  if (typeof data.username === 'string') data.username = data.username.toLowerCase()
  if (typeof data.email === 'string') data.email = data.email.toLowerCase()
  return data
}

/** An identifier is drawn once and never changes: it names folders, and people read it aloud. */
export const giveIdentifier: CollectionBeforeChangeHook = ({ data, operation, originalDoc }) => {
  data.identifier = operation === 'create' ? newIdentifier() : originalDoc?.identifier
  return data
}
