import * as z from 'zod'
import { Locale } from '../locale.ts'
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

/**
 * The User entity of specification section 3, as `GET /api/user/me` answers it. Amounts are whole forints.
 * `balance`, `premium` and `spinCount` are null while the control plane does not answer: the page says so in place.
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
  invoiceType: z.enum(INVOICE_TYPES),
  language: Locale,
})
export type User = z.infer<typeof User>
