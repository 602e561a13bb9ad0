/** The contact data of specification section 3, by their names on the wire. */
export const CONTACT_FIELDS = [
  'firstName',
  'lastName',
  'streetAndHouseNumber',
  'postalCode',
  'city',
  'phoneNumber',
] as const
export type ContactField = (typeof CONTACT_FIELDS)[number]

/** The maximum length of each field (UTF-16 units, after tidying). */
export const CONTACT_LIMITS: Readonly<Record<ContactField, number>> = {
  firstName: 60,
  lastName: 60,
  streetAndHouseNumber: 120,
  postalCode: 12,
  city: 80,
  phoneNumber: 30,
}

export type ContactFault = 'tooLong' | 'invalid'

/** The stored form of a typed text: trimmed, and composed (NFC). Idempotent. */
export const tidyText = (text: string): string => text.normalize('NFC').trim()

// Control and format characters reorder or hide neighbouring text on an invoice. The two joiners are part of some
// scripts.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u

// Other countries' postal codes contain letters, spaces and hyphens, so no stricter pattern fits all of them.
const POSTAL_CODE = /^[0-9A-Za-z](?:[0-9A-Za-z -]*[0-9A-Za-z])?$/

const PHONE_SIGNS = /^\+?[0-9 ()/.-]+$/
/** The shortest national numbers, and the longest of E.164. */
const PHONE_DIGITS = { least: 6, most: 15 }

const isPhoneNumber = (text: string): boolean => {
  const digits = text.replaceAll(/\D/g, '').length
  return PHONE_SIGNS.test(text) && digits >= PHONE_DIGITS.least && digits <= PHONE_DIGITS.most
}

/**
 * The fault of a tidied contact field, or null. An empty one is valid: nobody has to give more data than necessary. A
 * phone number has 6 to 15 digits; a postal code is letters and digits.
 */
export const contactFault = (field: ContactField, text: string): ContactFault | null => {
  if (text === '') return null
  if (text.length > CONTACT_LIMITS[field]) return 'tooLong'
  if (UNPRINTABLE.test(text)) return 'invalid'
  if (field === 'postalCode') return POSTAL_CODE.test(text) ? null : 'invalid'
  if (field === 'phoneNumber') return isPhoneNumber(text) ? null : 'invalid'
  return null
}
