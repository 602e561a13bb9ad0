import { countryCode } from './country.ts'
import { contactFault, tidyText } from '../users/contact.ts'

/** What an invoice needs of a person beside the contact data (clarifications part 4). An empty country is Hungary. */
export const BILLING_FIELDS = ['country', 'company', 'taxNumber'] as const
export type BillingField = (typeof BILLING_FIELDS)[number]

/** The most characters (UTF-16 units, after tidying) of each field. */
export const BILLING_LIMITS: Readonly<Record<BillingField, number>> = { country: 2, company: 120, taxNumber: 20 }

// National numbers have hyphens, those of the Union a country in front: nothing tighter holds for all of them.
const TAX_NUMBER = /^[0-9A-Z](?:[0-9A-Z -]*[0-9A-Z])?$/

/** What is kept of a typed field: tidied as every text, codes and numbers in capital letters. Tidying twice changes nothing more. */
export const tidyBilling = (field: BillingField, text: string): string =>
  field === 'company' ? tidyText(text) : tidyText(text).toUpperCase()

/** What is wrong with a tidied field of the billing profile, or null. An empty one is right. */
export const billingFault = (field: BillingField, text: string): 'tooLong' | 'invalid' | null => {
  if (text === '') return null
  if (text.length > BILLING_LIMITS[field]) return 'tooLong'
  if (field === 'country') return countryCode(text) === text ? null : 'invalid'
  if (field === 'taxNumber') return TAX_NUMBER.test(text) ? null : 'invalid'
  // A name is held to what an address is: nothing that hides or reorders what stands beside it.
  return contactFault('streetAndHouseNumber', text)
}
