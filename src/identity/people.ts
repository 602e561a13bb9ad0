import type { Locale } from '#contracts/locale.ts'
import { identifierFrom } from '#domain/kernel/identifier.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Ids } from '#platform/ids.ts'
import { violatedUnique } from '#platform/postgres/sql-state.ts'
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

/** A name for addresses that exists nowhere (RFC 2606). */
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

/**
 * Adds a person who entered an address that is another account's. It looks to them as any address does that is not confirmed,
 * and never will be: what stands in the row receives nothing (security case 15).
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
 * Frees an address for who has just shown that it is theirs: somebody who has entered it meanwhile, and has not confirmed it, has
 * it no more than anybody who enters another account's.
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
 * Who entered this address last and has not confirmed it, whether it is another account's or nobody's. The last one alone signs in
 * with it: who enters it twice learns from neither sign-in whether somebody has it.
 */
export const findEntrant = async (sql: Sql, email: string): Promise<Account | null> =>
  accountOf((await sql.query<AccountRow>(ENTERED, [email.toLowerCase()]))[0])

/** Finds whose name it is: a username, or an e-mail address that its owner has confirmed, in any case. A username holds no @. */
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

/** Whether staff allow registration now; without settings it is allowed. */
export const isRegistrationOpen = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql.query<{ open: boolean }>(
    'select kill_switches_registration as open from public.settings limit 1',
  )
  return row?.open ?? true
}

export type Grants = { readonly isAdmin: boolean; readonly isSupport: boolean; readonly isVerified: boolean }

/** A query of the Grants of the person whose id this SQL expression is; no row for nobody. */
export const grantsOf = (id: string): string => `
  select person.verified as "isVerified", coalesce(bool_or(role.is_admin), false) as "isAdmin",
         coalesce(bool_or(role.is_support), false) as "isSupport"
  from public.users person
    left join public.users_rels rel on rel.parent_id = person.id and rel.path = 'role'
    left join public.roles role on role.id = rel.roles_id
      and identity.role_is_usable(role.active, role.two_factor_required, identity.has_factor(${id}))
  where person.id = ${id} group by person.id`

/**
 * What the roles of a person allow, and whether the address is confirmed. Nobody and an inactive role are allowed nothing, and
 * so is a role that requires a second factor of somebody who has none.
 */
export const readGrants = async (sql: Sql, userId: string): Promise<Grants> => {
  const [row] = await sql.query<Grants>(grantsOf('$1'), [userId])
  return row ?? { isAdmin: false, isSupport: false, isVerified: false }
}

/** Where a person is written to: the address that they entered. */
export type Mailbox = {
  readonly userId: string
  readonly username: string
  readonly email: string
  readonly language: Locale
  readonly verified: boolean
  /** False while the address is another account's: nothing is sent there, and nobody learns why. */
  readonly isTheirs: boolean
  /** What stands in the account's row. */
  readonly storedEmail: string
}

const MAILBOX = `
  select person.id as "userId", username, coalesce(claim.email, person.email) as email, person.email as "storedEmail",
         claim.email is null as "isTheirs", language::text as language, verified
  from public.users person left join identity.email_claims claim on claim.user_id = person.id`

/** The mailbox of a person, or null when there is none of this id. */
export const readMailbox = async (sql: Sql, userId: string): Promise<Mailbox | null> =>
  (await sql.query<Mailbox>(`${MAILBOX} where person.id = $1`, [userId]))[0] ?? null

/** Whose address this is, or null; letter case does not matter. Who only entered it is nobody here. */
export const findMailbox = async (sql: Sql, email: string): Promise<Mailbox | null> =>
  (await sql.query<Mailbox>(`${MAILBOX} where person.email = $1`, [email.toLowerCase()]))[0] ?? null

/**
 * Gives a person another address, confirmed, as long as the present one is `from`. Answers whether that was so; throws
 * NameTaken when somebody else has the address, which ends the transaction.
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

/** Under which names an authenticator app lists the account: the host's, and the person's own. */
export const readAccountName = async (sql: Sql, userId: string): Promise<{ hostName: string; username: string }> => {
  const [row] = await sql.query<{ host_name: string | null; username: string }>(
    'select username, (select host_name from public.settings limit 1) as host_name from public.users where id = $1',
    [userId],
  )
  return { hostName: row?.host_name ?? 'Bakter', username: row?.username ?? '' }
}
