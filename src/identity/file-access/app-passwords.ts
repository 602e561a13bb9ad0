import { createHash } from 'node:crypto'
import { MAX_FILE_KEYS, type AppPasswordEntry, type AppPasswordRequest } from '#contracts/http/file-access.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { proveAgain } from '../factors/prove-person.ts'
import type { Person, Reproof } from '../factors/prove-person.ts'
import { tellOfChange } from '../mails/security-mails.ts'

type Row = { id: string; name: string; created_at: Date; last_used_at: Date | null }

/** Without the letters that look like digits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 5
const GROUP_LENGTH = 5

/** A person's app passwords, oldest first. */
export const listAppPasswords = async (sql: Sql, userId: string): Promise<AppPasswordEntry[]> =>
  (
    await sql.query<Row>(
      `select id, name, created_at, last_used_at from identity.app_passwords
       where user_id = $1 order by created_at, id`,
      [userId],
    )
  ).map(({ id, name, created_at, last_used_at }) => ({
    id,
    name,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))

/** `k7m2p-…`: 25 of 31 letters are 123 bits. Bytes that would favour some letters are skipped. */
const draw = (context: Pick<IdentityContext, 'ids'>): string => {
  const letters: string[] = []
  const fair = 256 - (256 % LETTERS.length)
  while (letters.length < GROUPS * GROUP_LENGTH) {
    for (const byte of context.ids.bytes(32)) if (byte < fair) letters.push(LETTERS[byte % LETTERS.length] ?? '')
  }
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}

/** The stored form of an app password. */
export const appPasswordHash = (password: string): Buffer => createHash('sha256').update(password.trim()).digest()

/** Creates an app password, after the person has proved themselves again; it is shown once. */
export const addAppPassword = async (
  context: IdentityContext,
  { person, request: { name, password, code } }: { person: Person; request: AppPasswordRequest },
  origin: Origin,
): Promise<
  | { readonly ok: true; readonly password: string }
  | Extract<Reproof, { ok: false }>
  | { readonly ok: false; readonly code: 'TOO_MANY_KEYS' }
> => {
  const proved = await proveAgain(context, { person, password, code }, origin)
  if (!proved.ok) return proved
  const { db, ids, clock } = context
  const { userId } = person
  const drawn = draw(context)
  return db.transaction(async (tx) => {
    // Two at once: the second one waits, and counts the first.
    await tx.query('select 1 from public.users where id = $1 for update', [userId])
    if ((await listAppPasswords(tx, userId)).length >= MAX_FILE_KEYS)
      return { ok: false, code: 'TOO_MANY_KEYS' } as const
    await tx.query(
      'insert into identity.app_passwords (id, user_id, name, hash, created_at) values ($1, $2, $3, $4, $5)',
      [ids.next(), userId, name, appPasswordHash(drawn), new Date(clock.now())],
    )
    await tellOfChange(tx, context, { userId, change: 'app-password-added', origin })
    return { ok: true, password: drawn } as const
  })
}

/** Removes an app password of this person; false when it is not theirs. Connections that it opened end within seconds. */
export const removeAppPassword = async (sql: Sql, { userId, id }: { userId: string; id: string }): Promise<boolean> =>
  (await sql.query('delete from identity.app_passwords where user_id = $1 and id = $2 returning 1', [userId, id]))
    .length > 0
