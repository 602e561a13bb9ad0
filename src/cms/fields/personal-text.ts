import type { TextField } from 'payload'
import { CONTACT_LIMITS, contactFault, tidyText } from '#domain/users/contact.ts'
import type { ContactField } from '#domain/users/contact.ts'
import { BILLING_LIMITS, billingFault, tidyBilling } from '#domain/billing/billing-profile.ts'
import type { BillingField } from '#domain/billing/billing-profile.ts'
import { TIME_ZONE_LENGTH, knownTimeZone } from '#domain/users/time-zone.ts'
import { administrator } from '../access/administrator.ts'
import { nobody } from '../access/nobody.ts'
import { selfOrAdministratorField } from '../access/self-or-administrator-field.ts'
import { textIn, words, type Words } from './languages.ts'

const refusal = words("This isn't valid.", 'Ez érvénytelen.', 'Das ist ungültig.')
const refusalIn = (language: string): string => textIn(language, refusal)

/** Personal data: the owner and administrators read it; support sees the masked line instead. */
const access = { read: selfOrAdministratorField, update: administrator, create: nobody }

/** A contact field, with the rules of the person's own form. */
export const contactText = (name: ContactField, label: Words): TextField => ({
  name,
  type: 'text',
  label,
  maxLength: CONTACT_LIMITS[name],
  hooks: {
    beforeValidate: [({ value }: { value?: unknown }) => (typeof value === 'string' ? tidyText(value) : value)],
  },
  validate: (value: string | null | undefined, { req }: { req: { i18n: { language: string } } }) =>
    contactFault(name, value ?? '') === null || refusalIn(req.i18n.language),
  access,
})

/** A billing field, with the rules of the person's own form. */
export const billingText = (name: BillingField, label: Words): TextField => ({
  name,
  type: 'text',
  label,
  maxLength: BILLING_LIMITS[name],
  hooks: {
    beforeValidate: [
      ({ value }: { value?: unknown }) => (typeof value === 'string' ? tidyBilling(name, value) : value),
    ],
  },
  validate: (value: string | null | undefined, { req }: { req: { i18n: { language: string } } }) =>
    billingFault(name, value ?? '') === null || refusalIn(req.i18n.language),
  access,
})

/** The time zone in which a person reads times; empty means the browser's. */
export const timeZoneText = (name: string, label: Words): TextField => ({
  name,
  type: 'text',
  label,
  maxLength: TIME_ZONE_LENGTH,
  validate: (value: string | null | undefined, { req }: { req: { i18n: { language: string } } }) =>
    !value || knownTimeZone(value) !== null || refusalIn(req.i18n.language),
  access,
})
