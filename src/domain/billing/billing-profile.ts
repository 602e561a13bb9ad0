import { countryCode } from './country.ts'
import { contactFault, tidyText } from '../users/contact.ts'

/** The invoice data of a person besides the contact data (clarifications part 4). An empty country is Hungary. */
export const BILLING_FIELDS = ['country', 'company', 'taxNumber'] as const
export type BillingField = (typeof BILLING_FIELDS)[number]

/** The maximum length of each field (UTF-16 units, after tidying). */
export const BILLING_LIMITS: Readonly<Record<BillingField, number>> = { country: 2, company: 120, taxNumber: 20 }

// National numbers contain hyphens, EU numbers a country prefix: no stricter pattern fits all of them.
const TAX_NUMBER = /^[0-9A-Z](?:[0-9A-Z -]*[0-9A-Z])?$/

/** The stored form of a typed field: tidied like every text, codes and numbers in capital letters. Idempotent. */
export const tidyBilling = (field: BillingField, text: string): string =>
  field === 'company' ? tidyText(text) : tidyText(text).toUpperCase()

/** The fault of a tidied billing field, or null. An empty one is valid. */
export const billingFault = (field: BillingField, text: string): 'tooLong' | 'invalid' | null => {
  if (text === '') return null
  if (text.length > BILLING_LIMITS[field]) return 'tooLong'
  if (field === 'country') return countryCode(text) === text ? null : 'invalid'
  if (field === 'taxNumber') return TAX_NUMBER.test(text) ? null : 'invalid'
  // A name follows the rules of an address: nothing that hides or reorders neighbouring text.
  return contactFault('streetAndHouseNumber', text)
}

type InvoiceAddress = {
  readonly firstName: string
  readonly lastName: string
  readonly company: string
  readonly streetAndHouseNumber: string
  readonly postalCode: string
  readonly city: string
}

/** Whether an electronic invoice can be issued: it needs a name and an address. Without them the customer gets receipts. */
export const canBeInvoiced = (customer: InvoiceAddress): boolean => {
  const { firstName, lastName, company, streetAndHouseNumber, postalCode, city } = customer
  const hasName = [firstName, lastName, company].some((text) => text.trim() !== '')
  return hasName && [streetAndHouseNumber, postalCode, city].every((text) => text.trim() !== '')
}
