import { identifierFrom } from '#domain/kernel/identifier.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Ids } from './ids.ts'
import { violatedUnique } from './database.ts'
import type { Sql } from './database.ts'

// People are rows of Payload's collection `users`. The identity part reads and creates them by SQL and not through
// Payload: a person, the password and the consents then come into being in one transaction or not at all.
// docs/decisions/0005-people-by-sql.md tells more. Username and e-mail are stored in lower case; their unique indexes hold the rest.

export type NewPerson = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly language: 'en' | 'hu' | 'de'
}

export type PersonRefusal = 'USERNAME_TAKEN' | 'EMAIL_TAKEN'

const INSERT = `
  insert into public.users (id, username, identifier, email, verified, language, created_at, updated_at)
  values ($1, $2, $3, $4, false, $5, $6, $6)`

const drawIdentifier = (ids: Ids): string => {
  const identifier = identifierFrom(ids.bytes(32))
  assert(identifier !== undefined, '32 random bytes always hold 8 usable ones')
  return identifier
}

/** Adds a person. Names are unique without regard to case: both are stored in lower case. */
export const insertPerson = async (
  tx: Sql,
  person: NewPerson,
  { ids, nowMs }: { ids: Ids; nowMs: number },
): Promise<PersonRefusal | null> => {
  const { username, email } = lowered(person)
  const taken = await findTaken(tx, { username, email })
  if (taken) return taken
  try {
    await tx.query(INSERT, [person.id, username, drawIdentifier(ids), email, person.language, new Date(nowMs)])
    return null
  } catch (error) {
    // Two registrations of one name at the same moment: the index decides which was first.
    const index = violatedUnique(error)
    if (index?.includes('username')) throw new NameTaken('USERNAME_TAKEN')
    if (index?.includes('email')) throw new NameTaken('EMAIL_TAKEN')
    throw error
  }
}

/** Rolls the transaction back that the unique index ended. */
export class NameTaken extends Error {
  override name = 'NameTaken'
  readonly code: PersonRefusal

  constructor(code: PersonRefusal) {
    super(code)
    this.code = code
  }
}

const lowered = ({ username, email }: { username: string; email: string }) => ({
  username: username.toLowerCase(),
  email: email.toLowerCase(),
})

const findTaken = async (tx: Sql, names: { username: string; email: string }): Promise<PersonRefusal | null> => {
  const rows = await tx.query<{ username: string }>(
    'select username from public.users where username = $1 or email = $2',
    [names.username, names.email],
  )
  if (rows.some((row) => row.username === names.username)) return 'USERNAME_TAKEN'
  return rows.length > 0 ? 'EMAIL_TAKEN' : null
}

export type Account = { readonly userId: string; readonly passwordHash: string | null }

/** Finds who signs in: `name` is a username or an e-mail address in any case; a username holds no @. */
export const findAccount = async (sql: Sql, name: string): Promise<Account | null> => {
  const column = name.includes('@') ? 'email' : 'username'
  const [row] = await sql.query<{ id: string; password_hash: string | null }>(
    `select person.id, credential.password_hash
     from public.users person left join identity.credentials credential on credential.user_id = person.id
     where person.${column} = $1`,
    [name.toLowerCase()],
  )
  return row ? { userId: row.id, passwordHash: row.password_hash } : null
}

/** Whether staff allow registration now; without settings it is allowed. */
export const isRegistrationOpen = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql.query<{ open: boolean }>(
    'select kill_switches_registration as open from public.settings limit 1',
  )
  return row?.open ?? true
}

/** What the active roles of a person allow; nobody and an inactive role are allowed nothing. */
export const readGrants = async (sql: Sql, userId: string): Promise<{ isAdmin: boolean; isSupport: boolean }> => {
  const [row] = await sql.query<{ is_admin: boolean; is_support: boolean }>(
    `select coalesce(bool_or(role.is_admin), false) as is_admin, coalesce(bool_or(role.is_support), false) as is_support
     from public.users_rels rel join public.roles role on role.id = rel.roles_id and role.active
     where rel.parent_id = $1 and rel.path = 'role'`,
    [userId],
  )
  return { isAdmin: row?.is_admin ?? false, isSupport: row?.is_support ?? false }
}
