import type { User } from '#contracts/http/user.ts'
import type { Sql } from './database.ts'

/** What the site itself knows of a person; the control plane adds the account. */
export type Profile = Omit<User, 'balance' | 'premium' | 'premiumExpiry' | 'spinCount'>

type Row = {
  id: string
  username: string
  identifier: string
  email: string
  verified: boolean
  profile_picture_id: string | null
  contact_first_name: string | null
  contact_last_name: string | null
  contact_street_and_house_number: string | null
  contact_postal_code: string | null
  contact_city: string | null
  contact_phone_number: string | null
  invoice_type: User['invoiceType']
  language: User['language']
  roles: { name: string; isAdmin: 0 | 1; isSupport: 0 | 1 }[]
}

// One statement: this is the call that every page makes first.
const READ = `
  select person.*, (
    select coalesce(json_agg(json_build_object(
      'name', role.name, 'isAdmin', coalesce(role.is_admin, false)::int, 'isSupport', coalesce(role.is_support, false)::int
    ) order by rel."order"), '[]')
    from public.users_rels rel join public.roles role on role.id = rel.roles_id and role.active
    where rel.parent_id = person.id and rel.path = 'role'
  ) as roles
  from public.users person where person.id = $1`

/** Reads a person's profile by id, or null when there is none. */
export const readProfile = async (sql: Sql, userId: string): Promise<Profile | null> => {
  const [row] = await sql.query<Row>(READ, [userId])
  if (!row) return null
  return {
    id: row.id,
    username: row.username,
    identifier: row.identifier,
    email: row.email,
    twoFactor: false,
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
    invoiceType: row.invoice_type,
    language: row.language,
  }
}
