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

/** The most characters (UTF-16 units, after tidying) of each field. */
export const CONTACT_LIMITS: Readonly<Record<ContactField, number>> = {
  firstName: 60,
  lastName: 60,
  streetAndHouseNumber: 120,
  postalCode: 12,
  city: 80,
  phoneNumber: 30,
}

export type ContactFault = 'tooLong' | 'invalid'

/** What is kept of a typed text: no space around it, letters composed (NFC). Tidying twice changes nothing more. */
export const tidyText = (text: string): string => text.normalize('NFC').trim()

// Control and format characters reorder or hide what stands beside them on an invoice. The two joiners belong to scripts.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u

// Postal codes of other countries have letters, spaces and hyphens, so nothing tighter holds for all of them.
const POSTAL_CODE = /^[0-9A-Za-z](?:[0-9A-Za-z -]*[0-9A-Za-z])?$/

const PHONE_SIGNS = /^\+?[0-9 ()/.-]+$/
/** The shortest national numbers, and the longest of E.164. */
const PHONE_DIGITS = { least: 6, most: 15 }

const isPhoneNumber = (text: string): boolean => {
  const digits = text.replaceAll(/\D/g, '').length
  return PHONE_SIGNS.test(text) && digits >= PHONE_DIGITS.least && digits <= PHONE_DIGITS.most
}

/**
 * What is wrong with a tidied contact field, or null. An empty one is right: nobody has to tell more than they need. A phone
 * number has 6 to 15 digits; a postal code is letters and digits.
 */
export const contactFault = (field: ContactField, text: string): ContactFault | null => {
  if (text === '') return null
  if (text.length > CONTACT_LIMITS[field]) return 'tooLong'
  if (UNPRINTABLE.test(text)) return 'invalid'
  if (field === 'postalCode') return POSTAL_CODE.test(text) ? null : 'invalid'
  if (field === 'phoneNumber') return isPhoneNumber(text) ? null : 'invalid'
  return null
}
