import type { InvoiceContactRow, InvoicingRow, PersonRow } from '#contracts/cms-api/rows.ts'
import type { Locale } from '#contracts/locale.ts'
import { HOME_COUNTRY } from '#domain/billing/country.ts'
import type { Customer, Seller } from './invoice-document.ts'

/**
 * The seller as entered by staff, or undefined while name, address or tax number is missing: then nothing may be
 * issued.
 */
export function sellerOf(row: InvoicingRow): Seller | undefined {
  const seller = {
    name: row.seller_name.trim(),
    postalCode: row.seller_postal_code.trim(),
    city: row.seller_city.trim(),
    street: row.seller_street.trim(),
    country: row.seller_country,
    taxNumber: row.seller_tax_number.trim(),
    euTaxNumber: row.seller_eu_tax_number.trim(),
    registryNumber: row.seller_registry_number.trim(),
    bankAccount: row.seller_bank_account.trim(),
    email: row.seller_email.trim(),
  }
  const needed = [seller.name, seller.postalCode, seller.city, seller.street, seller.taxNumber]
  return needed.includes('') ? undefined : seller
}

/** The anonymous customer of a receipt, which needs no name. */
export const NOBODY: Customer = {
  name: '',
  company: '',
  taxNumber: '',
  country: HOME_COUNTRY,
  postalCode: '',
  city: '',
  streetAndHouseNumber: '',
  email: '',
}

/** The customer of a document. In Hungarian the family name comes first. */
export function customerOf(
  contact: InvoiceContactRow | undefined,
  person: PersonRow | undefined,
  language: Locale,
): Customer {
  if (!contact) return NOBODY
  const { first_name: first, last_name: last } = contact
  const names = language === 'hu' ? [last, first] : [first, last]
  return {
    name: names
      .map((name) => name.trim())
      .filter(Boolean)
      .join(' '),
    company: contact.company,
    taxNumber: contact.tax_number,
    country: contact.country,
    postalCode: contact.postal_code,
    city: contact.city,
    streetAndHouseNumber: contact.street_and_house_number,
    email: person?.email ?? '',
  }
}
