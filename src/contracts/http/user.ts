import * as z from 'zod'
import { Locale } from '../locale.ts'
import { CONTACT_LIMITS, contactFault, tidyText } from '#domain/users/contact.ts'
import type { ContactField } from '#domain/users/contact.ts'
import { BILLING_LIMITS, billingFault, tidyBilling } from '#domain/billing/billing-profile.ts'
import type { BillingField } from '#domain/billing/billing-profile.ts'
import { TIME_ZONE_LENGTH, knownTimeZone } from '#domain/users/time-zone.ts'
import { AmountFt, Flag01, Id, Identifier, Instant } from '../primitives.ts'

/** A role as `/api/user/me` shows it: flags are 0 or 1. */
export const UserRole = z.object({ name: z.string(), isAdmin: Flag01, isSupport: Flag01 })
export type UserRole = z.infer<typeof UserRole>

/** The Role entity of specification section 3. */
export const Role = UserRole.extend({
  id: Id,
  active: z.boolean(),
  ticketCategories: z.array(Id),
  twoFactorRequired: z.boolean(),
})

export const PREMIUM_TIERS = ['none', 'essentials', 'maximus', 'ultimus'] as const
export const INVOICE_TYPES = ['electronic', 'receipt'] as const

export const Contact = z.object({
  firstName: z.string(),
  lastName: z.string(),
  streetAndHouseNumber: z.string(),
  postalCode: z.string(),
  city: z.string(),
  phoneNumber: z.string(),
})

/** The invoice recipient's data besides the contact data. The country is an ISO 3166-1 code; the rest may be empty. */
export const Billing = z.object({ country: z.string(), company: z.string(), taxNumber: z.string() })
export type Billing = z.infer<typeof Billing>

/**
 * The User entity of specification section 3, as returned by `GET /api/user/me`. Amounts are whole forints. `balance`,
 * `premium` and `spinCount` are null while the control plane does not respond: the page shows that in place.
 */
export const User = z.object({
  id: Id,
  username: z.string(),
  identifier: Identifier,
  email: z.string(),
  twoFactor: z.boolean(),
  role: z.array(UserRole),
  balance: AmountFt.nullable(),
  verified: z.boolean(),
  premium: z.enum(PREMIUM_TIERS).nullable(),
  premiumExpiry: Instant.nullable(),
  profilePictureId: z.string().nullable(),
  spinCount: z.int().nullable(),
  contact: Contact,
  billing: Billing,
  invoiceType: z.enum(INVOICE_TYPES),
  language: Locale,
  /** An IANA time zone name; empty until the person chooses one: then the browser's counts. */
  timeZone: z.string(),
})
export type User = z.infer<typeof User>

const contactText = (field: ContactField) =>
  z
    .string()
    .overwrite(tidyText)
    .max(CONTACT_LIMITS[field])
    .refine((text) => contactFault(field, text) === null)

const ContactChange = z
  .object({
    firstName: contactText('firstName'),
    lastName: contactText('lastName'),
    streetAndHouseNumber: contactText('streetAndHouseNumber'),
    postalCode: contactText('postalCode'),
    city: contactText('city'),
    phoneNumber: contactText('phoneNumber'),
  })
  .partial()

const billingText = (field: BillingField) =>
  z
    .string()
    .overwrite((text) => tidyBilling(field, text))
    .max(BILLING_LIMITS[field])
    .refine((text) => billingFault(field, text) === null)

const BillingChange = z
  .object({ country: billingText('country'), company: billingText('company'), taxNumber: billingText('taxNumber') })
  .partial()

/** An IANA time zone under its canonical name, or empty for the browser's. */
const TimeZoneChoice = z
  .string()
  .max(TIME_ZONE_LENGTH)
  .overwrite((name) => knownTimeZone(name) ?? name)
  .refine((name) => name === '' || knownTimeZone(name) !== null)

/** The fields that people change themselves. Omitted ones stay; unlisted ones are ignored. */
export const ProfileChange = z
  .object({
    contact: ContactChange,
    billing: BillingChange,
    invoiceType: z.enum(INVOICE_TYPES),
    language: Locale,
    timeZone: TimeZoneChoice,
  })
  .partial()
export type ProfileChange = z.infer<typeof ProfileChange>

/** The fields that `PATCH /api/user/me` changes, with their current values. */
export const ProfileSettings = User.pick({
  contact: true,
  billing: true,
  invoiceType: true,
  language: true,
  timeZone: true,
})
export type ProfileSettings = z.infer<typeof ProfileSettings>

const pixels = z.coerce.number().int().min(0).max(100_000)
/**
 * The square to crop, in pixels of the upright picture, all three or none: the default is the largest one around the
 * centre.
 */
export const PictureCrop = z
  .object({ x: pixels, y: pixels, size: pixels.min(1) })
  .partial()
  .refine((crop) => new Set([crop.x, crop.y, crop.size].map((part) => part === undefined)).size === 1)
export const ProfilePictureId = z.string().regex(/^[A-Za-z0-9_-]{32}$/)
export const ProfilePicturePath = z.object({ id: ProfilePictureId })
export const ProfilePictureAnswer = z.object({ profilePictureId: ProfilePictureId })
