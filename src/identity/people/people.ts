import type { Locale } from '#contracts/locale.ts'
import { identifierFrom } from '#domain/kernel/identifier.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Ids } from '#platform/ids.ts'
import { violatedUnique } from '#platform/postgres/sql-state.ts'
import type { Sql } from '../context/database.ts'

// People are rows of Payload's collection `users`. The identity part reads and creates them by SQL and not through
// Payload, so that person, password and consents are created in one transaction. See
// docs/decisions/0005-people-by-sql.md. Username and e-mail are stored in lower case; unique indexes enforce the rest.

export type NewPerson = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly language: 'en' | 'hu' | 'de'
}

/** A host name for addresses that can never exist (RFC 2606). */
const CLAIMED_HOST = 'claimed.invalid'
const claimedEmail = (id: string): string => `${id}@${CLAIMED_HOST}`

export type PersonRefusal = 'USERNAME_TAKEN' | 'EMAIL_TAKEN'

const INSERT = `
  insert into public.users (id, username, identifier, email, verified, language, created_at, updated_at)
  values ($1, $2, $3, $4, false, $5, $6, $6)`

const drawIdentifier = (ids: Ids): string => {
  const identifier = identifierFrom(ids.bytes(32))
  assert(identifier !== undefined, '32 random bytes always hold 8 usable ones')
  return identifier
}

/** Adds a person. Names are unique regardless of case: both are stored in lower case. */
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
    // Two concurrent registrations of one name: the index decides which came first.
    const index = violatedUnique(error)
    if (index?.includes('username')) throw new NameTaken('USERNAME_TAKEN')
    if (index?.includes('email')) throw new NameTaken('EMAIL_TAKEN')
    throw error
  }
}

/** Thrown to roll the transaction back after a violation of the unique index. */
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

/**
 * Adds a person who entered the address of another account. To them it looks like any unverified address, but it can
 * never be verified: the address stored in the row receives nothing (security case 15).
 */
export const insertClaimant = async (
  tx: Sql,
  person: NewPerson,
  { ids, nowMs }: { ids: Ids; nowMs: number },
): Promise<void> => {
  const taken = await insertPerson(tx, { ...person, email: claimedEmail(person.id) }, { ids, nowMs })
  assert(taken === null, 'the name is free and the address is nobody else’s')
  await tx.query('insert into identity.email_claims (user_id, email, created_at) values ($1, $2, $3)', [
    person.id,
    person.email.toLowerCase(),
    new Date(nowMs),
  ])
}

/**
 * Frees an address for a person who has just proved that it is theirs: an account that entered it without verifying it
 * keeps it only as a claim.
 */
export const freeAddress = async (
  tx: Sql,
  { email, owner, nowMs }: { email: string; owner: string; nowMs: number },
): Promise<void> => {
  const [holder] = await tx.query<{ id: string }>(
    'select id from public.users where email = $1 and id <> $2 and not verified for update',
    [email, owner],
  )
  if (!holder) return
  const now = new Date(nowMs)
  await tx.query('update public.users set email = $2, updated_at = $3 where id = $1', [
    holder.id,
    claimedEmail(holder.id),
    now,
  ])
  await tx.query(
    `insert into identity.email_claims (user_id, email, created_at) values ($1, $2, $3)
     on conflict (user_id) do update set email = excluded.email, created_at = excluded.created_at`,
    [holder.id, email, now],
  )
}

/** `passwordAt` is when the password was set, in whole milliseconds. */
export type Account = {
  readonly userId: string
  readonly passwordHash: string | null
  readonly passwordAt: Date | null
}

type AccountRow = { id: string; password_hash: string | null; changed_at: Date | null }
const accountOf = (row: AccountRow | undefined): Account | null =>
  row ? { userId: row.id, passwordHash: row.password_hash, passwordAt: row.changed_at } : null

const ENTERED = `
  select entered.id, credential.password_hash, credential.changed_at
  from (select id, created_at from public.users where email = $1 and not verified
        union all select user_id, created_at from identity.email_claims where email = $1) entered
    left join identity.credentials credential on credential.user_id = entered.id
  order by entered.created_at desc, entered.id desc limit 1`

/**
 * The account that last entered this address without verifying it, whether or not it belongs to another account. Only
 * that last one signs in with it: entering it twice does not reveal whether somebody owns it.
 */
export const findEntrant = async (sql: Sql, email: string): Promise<Account | null> =>
  accountOf((await sql.query<AccountRow>(ENTERED, [email.toLowerCase()]))[0])

/** Finds the account of a name: a username, or a verified e-mail address, in any case. A username contains no @. */
export const findAccount = async (sql: Sql, name: string): Promise<Account | null> => {
  const condition = name.includes('@') ? 'person.email = $1 and person.verified' : 'person.username = $1'
  const [row] = await sql.query<AccountRow>(
    `select person.id, credential.password_hash, credential.changed_at
     from public.users person left join identity.credentials credential on credential.user_id = person.id
     where ${condition}`,
    [name.toLowerCase()],
  )
  return accountOf(row)
}

/** Whether staff suspended this person. */
export const isSuspended = async (sql: Sql, userId: string): Promise<boolean> => {
  const [row] = await sql.query<{ suspended: boolean }>('select identity.is_suspended($1) as suspended', [userId])
  return row?.suspended ?? false
}

/** Whether registration is switched on; without settings it is. */
export const isRegistrationOpen = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql.query<{ open: boolean }>(
    'select kill_switches_registration as open from public.settings limit 1',
  )
  return row?.open ?? true
}

export type Grants = { readonly isAdmin: boolean; readonly isSupport: boolean; readonly isVerified: boolean }

/** A query that returns a person's Grants, or no row for an unknown person. `id` is an SQL expression. */
export const grantsOf = (id: string): string => `
  select person.verified as "isVerified", coalesce(bool_or(role.is_admin), false) as "isAdmin",
         coalesce(bool_or(role.is_support), false) as "isSupport"
  from public.users person
    left join public.users_rels rel on rel.parent_id = person.id and rel.path = 'role'
    left join public.roles role on role.id = rel.roles_id
      and identity.role_is_usable(role.active, role.two_factor_required, identity.has_factor(${id}))
  where person.id = ${id} group by person.id`

/**
 * The permissions of a person's roles, and whether the address is verified. An unknown person and an inactive role have
 * no permissions; neither has a role that requires a second factor when the person has none.
 */
export const readGrants = async (sql: Sql, userId: string): Promise<Grants> => {
  const [row] = await sql.query<Grants>(grantsOf('$1'), [userId])
  return row ?? { isAdmin: false, isSupport: false, isVerified: false }
}

/** The address to which a person's mail is sent: the one that they entered. */
export type Mailbox = {
  readonly userId: string
  readonly username: string
  readonly email: string
  readonly language: Locale
  readonly verified: boolean
  /** False when the address belongs to another account: nothing is sent there, without any visible reason. */
  readonly isTheirs: boolean
  /** The address in the account's row. */
  readonly storedEmail: string
}

const MAILBOX = `
  select person.id as "userId", username, coalesce(claim.email, person.email) as email, person.email as "storedEmail",
         claim.email is null as "isTheirs", language::text as language, verified
  from public.users person left join identity.email_claims claim on claim.user_id = person.id`

/** The mailbox of a person, or null when the id is unknown. */
export const readMailbox = async (sql: Sql, userId: string): Promise<Mailbox | null> =>
  (await sql.query<Mailbox>(`${MAILBOX} where person.id = $1`, [userId]))[0] ?? null

/**
 * The owner of an address, or null; case does not matter. A person who entered it without verifying it is not its
 * owner.
 */
export const findMailbox = async (sql: Sql, email: string): Promise<Mailbox | null> =>
  (await sql.query<Mailbox>(`${MAILBOX} where person.email = $1`, [email.toLowerCase()]))[0] ?? null

/**
 * Replaces a person's verified address if the current one is `from`. Returns whether it was; throws NameTaken when
 * somebody else has the address, which ends the transaction.
 */
export const replaceEmail = async (
  tx: Sql,
  change: { userId: string; from: string; to: string; nowMs: number },
): Promise<boolean> => {
  try {
    const changed = await tx.query(
      `update public.users set email = $3, verified = true, updated_at = $4 where id = $1 and email = $2 returning 1`,
      [change.userId, change.from, change.to, new Date(change.nowMs)],
    )
    if (changed.length === 0) return false
    await tx.query('delete from identity.email_claims where user_id = $1', [change.userId])
    return true
  } catch (error) {
    if (violatedUnique(error)?.includes('email')) throw new NameTaken('EMAIL_TAKEN')
    throw error
  }
}

/** The names under which an authenticator app lists the account: the host's and the person's. */
export const readAccountName = async (sql: Sql, userId: string): Promise<{ hostName: string; username: string }> => {
  const [row] = await sql.query<{ host_name: string | null; username: string }>(
    'select username, (select host_name from public.settings limit 1) as host_name from public.users where id = $1',
    [userId],
  )
  return { hostName: row?.host_name ?? 'Bakter', username: row?.username ?? '' }
}
