import type { CollectionBeforeReadHook } from 'payload'

/** `anna@example.com` becomes `a•••@example.com`. */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  return at < 1 ? '•••' : `${email[0]}•••${email.slice(at)}`
}

/** Keeps the last two digits of a phone number, enough to compare it with a caller's. */
export const maskPhone = (phone: string): string => `•••${phone.slice(-2)}`

/** Adds the masked line for support in place of personal data; runs before field access removes the data itself. */
export const maskContact: CollectionBeforeReadHook = ({ doc }) => {
  const parts = [
    typeof doc.email === 'string' ? maskEmail(doc.email) : undefined,
    typeof doc.contact?.phoneNumber === 'string' && doc.contact.phoneNumber
      ? maskPhone(doc.contact.phoneNumber)
      : undefined,
  ]
  return { ...doc, maskedContact: parts.filter(Boolean).join(', ') }
}
