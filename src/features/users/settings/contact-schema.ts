import * as z from 'zod/mini'
import { billingFault, tidyBilling } from '#domain/billing/billing-profile.ts'
import type { BillingField } from '#domain/billing/billing-profile.ts'
import { CONTACT_FIELDS, contactFault, tidyText } from '#domain/users/contact.ts'
import type { ContactField } from '#domain/users/contact.ts'

/** Messages are keys under `settings.invalid`. */
export const contactKeys = ['tooLong', 'invalid', 'postalCode', 'phoneNumber', 'taxNumber'] as const
export type ContactKey = (typeof contactKeys)[number]

const keyOfInvalid = (field: ContactField): ContactKey =>
  field === 'postalCode' || field === 'phoneNumber' ? field : 'invalid'

// The rules are the domain's, as on the wire; only the small build of the schema library differs.
const contactText = (field: ContactField) =>
  z.string().check(
    z.overwrite(tidyText),
    z.refine((text) => contactFault(field, text) !== 'tooLong', 'tooLong' satisfies ContactKey),
    z.refine((text) => contactFault(field, text) !== 'invalid', keyOfInvalid(field)),
  )

const billingText = (field: BillingField) =>
  z.string().check(
    z.overwrite((text) => tidyBilling(field, text)),
    z.refine((text) => billingFault(field, text) !== 'tooLong', 'tooLong' satisfies ContactKey),
    z.refine((text) => billingFault(field, text) !== 'invalid', keyOfBilling(field)),
  )

const keyOfBilling = (field: BillingField): ContactKey => (field === 'taxNumber' ? 'taxNumber' : 'invalid')

/**
 * Details of a person. An electronic invoice needs a name and an address, but every field can be saved alone: the form says what
 * is missing, and receipts come until then.
 */
export const ContactForm = z.object({
  firstName: contactText('firstName'),
  lastName: contactText('lastName'),
  streetAndHouseNumber: contactText('streetAndHouseNumber'),
  postalCode: contactText('postalCode'),
  city: contactText('city'),
  phoneNumber: contactText('phoneNumber'),
  country: billingText('country'),
  company: billingText('company'),
  taxNumber: billingText('taxNumber'),
  invoiceType: z.enum(['electronic', 'receipt']),
})

export type ContactForm = z.infer<typeof ContactForm>

/** The fields in the order of a name in the language. */
export const contactOrder = (locale: string): readonly ContactField[] =>
  locale === 'hu' ? ['lastName', 'firstName', ...CONTACT_FIELDS.slice(2)] : CONTACT_FIELDS
