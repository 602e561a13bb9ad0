import type { ProfileChange, ProfileSettings, User } from '#contracts/http/user.ts'
import { HOME_COUNTRY } from '#domain/billing/country.ts'
import { recordActivity } from './activities.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'

/** The site's own part of a profile; the control plane adds the account. */
export type Profile = Omit<User, 'balance' | 'premium' | 'premiumExpiry' | 'spinCount'>

/** A row with PROFILE_COLUMNS. */
export type ProfileRow = {
  id: string
  username: string
  identifier: string
  email: string
  /** The entered address when it belongs to another account; the person sees it as their own. */
  claimed_email: string | null
  verified: boolean
  profile_picture_id: string | null
  contact_first_name: string | null
  contact_last_name: string | null
  contact_street_and_house_number: string | null
  contact_postal_code: string | null
  contact_city: string | null
  contact_phone_number: string | null
  billing_country: string | null
  billing_company: string | null
  billing_tax_number: string | null
  invoice_type: User['invoiceType']
  language: User['language']
  time_zone: string | null
  two_factor: boolean
  roles: { name: string; isAdmin: 0 | 1; isSupport: 0 | 1 }[]
}

/**
 * The profile columns of `person`, an alias of public.users. Each is named, because a prepared statement fails when a
 * later migration adds a column.
 */
export const PROFILE_COLUMNS = `
  person.id, person.username, person.identifier, person.email, person.verified, person.contact_first_name,
  person.contact_last_name, person.contact_street_and_house_number, person.contact_postal_code, person.contact_city,
  person.contact_phone_number, person.billing_country, person.billing_company, person.billing_tax_number,
  person.invoice_type, person.language, person.time_zone,
  (select claim.email from identity.email_claims claim where claim.user_id = person.id) as claimed_email,
  (select picture.id from identity.profile_pictures picture where picture.user_id = person.id) as profile_picture_id,
  identity.has_factor(person.id) as two_factor, (
    select coalesce(json_agg(json_build_object(
      'name', role.name, 'isAdmin', coalesce(role.is_admin, false)::int, 'isSupport', coalesce(role.is_support, false)::int
    ) order by rel."order"), '[]')
    from public.users_rels rel join public.roles role on role.id = rel.roles_id
      and identity.role_is_usable(role.active, role.two_factor_required, identity.has_factor(person.id))
    where rel.parent_id = person.id and rel.path = 'role'
  ) as roles`

/** Reads a person's profile by id, or null when there is none. */
export const readProfile = async (sql: Sql, userId: string): Promise<Profile | null> => {
  const [row] = await sql.query<ProfileRow>(`select ${PROFILE_COLUMNS} from public.users person where person.id = $1`, [
    userId,
  ])
  return row ? profileOf(row) : null
}

/** Converts a row to a profile. */
export const profileOf = (row: ProfileRow): Profile => ({
  id: row.id,
  username: row.username,
  identifier: row.identifier,
  email: row.claimed_email ?? row.email,
  twoFactor: row.two_factor,
  role: row.roles,
  verified: row.verified,
  profilePictureId: row.profile_picture_id,
  contact: {
    firstName: row.contact_first_name ?? '',
    lastName: row.contact_last_name ?? '',
    streetAndHouseNumber: row.contact_street_and_house_number ?? '',
    postalCode: row.contact_postal_code ?? '',
    city: row.contact_city ?? '',
    phoneNumber: row.contact_phone_number ?? '',
  },
  billing: {
    country: row.billing_country || HOME_COUNTRY,
    company: row.billing_company ?? '',
    taxNumber: row.billing_tax_number ?? '',
  },
  invoiceType: row.invoice_type,
  language: row.language,
  timeZone: row.time_zone ?? '',
})

const CHANGE = `
  update public.users set
    contact_first_name = coalesce($2, contact_first_name),
    contact_last_name = coalesce($3, contact_last_name),
    contact_street_and_house_number = coalesce($4, contact_street_and_house_number),
    contact_postal_code = coalesce($5, contact_postal_code),
    contact_city = coalesce($6, contact_city),
    contact_phone_number = coalesce($7, contact_phone_number),
    invoice_type = coalesce($8, invoice_type),
    language = coalesce($9, language),
    time_zone = coalesce($10, time_zone),
    billing_country = coalesce($11, billing_country),
    billing_company = coalesce($12, billing_company),
    billing_tax_number = coalesce($13, billing_tax_number),
    updated_at = $14
  where id = $1`

const isOfInvoices = (change: ProfileChange): boolean =>
  change.invoiceType !== undefined ||
  Object.values({ ...change.contact, ...change.billing }).some((text) => text !== undefined)

/**
 * Writes the twelve columns that a person may change in their own row. Omitted fields stay; an empty text empties a
 * field. Returns the new profile, or null when the person is gone.
 */
export const changeProfile = async (
  context: Pick<IdentityContext, 'db' | 'clock' | 'ids'>,
  { userId, change }: { userId: string; change: ProfileChange },
  { address }: Pick<Origin, 'address'>,
): Promise<ProfileSettings | null> =>
  context.db.transaction(async (tx) => {
    const { contact = {}, billing = {} } = change
    const values = [
      contact.firstName,
      contact.lastName,
      contact.streetAndHouseNumber,
      contact.postalCode,
      contact.city,
      contact.phoneNumber,
      change.invoiceType,
      change.language,
      change.timeZone,
      billing.country,
      billing.company,
      billing.taxNumber,
    ].map((value) => value ?? null)
    if (values.some((value) => value !== null)) {
      await tx.query(CHANGE, [userId, ...values, new Date(context.clock.now())])
    }
    if (isOfInvoices(change)) {
      await recordActivity(tx, context, { userId, type: 'account.data', status: 'success', address })
    }
    const profile = await readProfile(tx, userId)
    if (profile === null) return null
    const { contact: now, billing: payer, invoiceType, language, timeZone } = profile
    return { contact: now, billing: payer, invoiceType, language, timeZone }
  })
