import type {
  CheckedFileLogins,
  FileCredential,
  FileLoginAnswer,
  FileLoginRequest,
  FileLoginsCheck,
} from '#contracts/logins/file-login.ts'
import { bucketKey } from '../context/limits.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { giveBackAll, takeAll } from '../people/account-limits.ts'
import { recordRefusal } from '../people/activities.ts'
import { readEraseAt } from '../people/deletion-rows.ts'
import { findAccount, isSuspended, readGrants } from '../people/people.ts'
import { hasFactor, readFactors } from '../sessions/second-factor.ts'
import { bucketsOf, provenAccount, whoIsNamed } from '../sign-in/named-accounts.ts'
import { appPasswordHash } from './app-passwords.ts'

const REFUSED = { ok: false, why: 'refused' } as const satisfies FileLoginAnswer
const TOO_MANY: FileLoginAnswer = { ok: false, why: 'too many' }

const mayEnter = async (sql: Sql, userId: string): Promise<boolean> =>
  !(await isSuspended(sql, userId)) && (await readEraseAt(sql, userId)) === null

const admitted = async (
  { db }: IdentityContext,
  userId: string,
  credential: FileCredential,
): Promise<FileLoginAnswer> => {
  if (!(await mayEnter(db, userId))) return REFUSED
  const { isAdmin } = await readGrants(db, userId)
  return { ok: true, userId, isAdmin, credential }
}

/** The credential of this person that matches, with its use noted. */
const used = async (
  { db, clock }: IdentityContext,
  kind: 'ssh key' | 'app password',
  match: { readonly userId: string; readonly value: string | Buffer },
): Promise<FileCredential | null> => {
  const [table, column] = kind === 'ssh key' ? ['ssh_keys', 'public_key'] : ['app_passwords', 'hash']
  const now = clock.now()
  const [row] = await db.query<{ id: string }>(
    `update identity.${table} set last_used_at = $3 where user_id = $1 and ${column} = $2 returning id`,
    [match.userId, match.value, new Date(now)],
  )
  return row ? { kind, id: row.id, sinceMs: now } : null
}

const byPassword = async (
  context: IdentityContext,
  { username, password }: { username: string; password: string },
  origin: Origin,
): Promise<FileLoginAnswer> => {
  const named = await whoIsNamed(context, { name: username, device: null })
  const buckets = bucketsOf(named, origin)
  if (!(await takeAll(context, buckets)).ok) return TOO_MANY
  const account = named[0]?.account ?? null
  const app =
    account && (await used(context, 'app password', { userId: account.userId, value: appPasswordHash(password) }))
  if (account && app) {
    await giveBackAll(context, buckets)
    return admitted(context, account.userId, app)
  }
  const proven = await provenAccount(context, named, { password })
  if (proven === null) {
    await recordRefusal(context.db, context, {
      userId: account?.userId ?? null,
      type: 'login',
      address: origin.address,
    })
    return account ? { ...REFUSED, named: account.userId } : REFUSED
  }
  await giveBackAll(context, buckets)
  if (hasFactor(await readFactors(context.db, proven.userId))) return { ok: false, why: 'app password' }
  return admitted(context, proven.userId, { kind: 'password', id: null, sinceMs: context.clock.now() })
}

/**
 * Signs somebody in at a node. The same limits count as at the site's own sign-in, and an unknown name costs and looks the
 * same as a wrong password. By e-mail address nobody signs in here: the part after the last dot is the server.
 */
export const fileLogin = async (
  context: IdentityContext,
  { username, address, proof }: FileLoginRequest,
): Promise<FileLoginAnswer> => {
  const origin = { address, userAgent: '' } as Origin
  if (!(await context.limits.take('login', bucketKey('login', origin))).ok) return TOO_MANY
  if (username.includes('@')) return REFUSED
  if ('password' in proof) {
    return context.hasher.turn(() => byPassword(context, { username, password: proof.password }, origin))
  }
  const account = await findAccount(context.db, username)
  const key = account && (await used(context, 'ssh key', { userId: account.userId, value: proof.publicKey }))
  return account && key ? admitted(context, account.userId, key) : REFUSED
}

const isValid = async (sql: Sql, userId: string, { kind, id, sinceMs }: FileCredential): Promise<boolean> => {
  if (kind === 'password') {
    const rows = await sql.query('select 1 from identity.credentials where user_id = $1 and changed_at <= $2', [
      userId,
      new Date(sinceMs),
    ])
    return rows.length > 0 && !hasFactor(await readFactors(sql, userId))
  }
  const table = kind === 'ssh key' ? 'ssh_keys' : 'app_passwords'
  return (await sql.query(`select 1 from identity.${table} where id = $1 and user_id = $2`, [id, userId])).length > 0
}

/** Which open connections may go on: a password that was changed, a key that is gone or a suspension ends them. */
export const checkFileLogins = async (
  { db }: Pick<IdentityContext, 'db'>,
  { logins }: FileLoginsCheck,
): Promise<CheckedFileLogins> => {
  const grants: CheckedFileLogins['grants'] = []
  for (const { userId, credential } of logins) {
    const holds = (await isValid(db, userId, credential)) && (await mayEnter(db, userId))
    grants.push(holds ? { isAdmin: (await readGrants(db, userId)).isAdmin } : null)
  }
  return { grants }
}
