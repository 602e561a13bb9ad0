import { createHash } from 'node:crypto'
import { MAX_FILE_KEYS, type SshKeyEntry, type SshKeyRequest } from '#contracts/http/file-access.ts'
import { readSshKey } from '#domain/users/ssh-key.ts'
import { violatedUnique } from '#platform/postgres/sql-state.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { proveAgain } from '../factors/prove-person.ts'
import type { Person, Reproof } from '../factors/prove-person.ts'
import { tellOfChange } from '../mails/security-mails.ts'

type Row = {
  id: string
  name: string
  algorithm: string
  fingerprint: string
  created_at: Date
  last_used_at: Date | null
}

/** A person's SSH keys, oldest first. */
export const listSshKeys = async (sql: Sql, userId: string): Promise<SshKeyEntry[]> =>
  (
    await sql.query<Row>(
      `select id, name, algorithm, fingerprint, created_at, last_used_at from identity.ssh_keys
       where user_id = $1 order by created_at, id`,
      [userId],
    )
  ).map(({ id, name, algorithm, fingerprint, created_at, last_used_at }) => ({
    id,
    name,
    algorithm,
    fingerprint,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))

/** As `ssh-keygen -lf` shows it. */
const fingerprintOf = (publicKey: string): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64').replace(/=+$/, '')}`

type Added =
  | { readonly ok: true }
  | Extract<Reproof, { ok: false }>
  | { readonly ok: false; readonly code: 'INVALID_SSH_KEY' | 'KEY_ALREADY_ADDED' | 'TOO_MANY_KEYS' }

/** Adds a key, after the person has proved themselves again: a thief of a session must not leave one behind. */
export const addSshKey = async (
  context: IdentityContext,
  { person, request }: { person: Person; request: SshKeyRequest },
  origin: Origin,
): Promise<Added> => {
  const { name, publicKey: text, password, code } = request
  const key = readSshKey(text)
  if (key === undefined) return { ok: false, code: 'INVALID_SSH_KEY' }
  const proved = await proveAgain(context, { person, password, code }, origin)
  if (!proved.ok) return proved
  const { db, ids, clock } = context
  const { userId } = person
  try {
    return await db.transaction(async (tx) => {
      // Two at once: the second one waits, and counts the first.
      await tx.query('select 1 from public.users where id = $1 for update', [userId])
      if ((await listSshKeys(tx, userId)).length >= MAX_FILE_KEYS) return { ok: false, code: 'TOO_MANY_KEYS' }
      await tx.query(
        `insert into identity.ssh_keys (id, user_id, name, algorithm, public_key, fingerprint, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [ids.next(), userId, name, key.algorithm, key.publicKey, fingerprintOf(key.publicKey), new Date(clock.now())],
      )
      await tellOfChange(tx, context, { userId, change: 'ssh-key-added', origin })
      return { ok: true }
    })
  } catch (error) {
    if (violatedUnique(error) !== undefined) return { ok: false, code: 'KEY_ALREADY_ADDED' }
    throw error
  }
}

/** Removes a key of this person; false when it is not theirs. Connections that it opened end within seconds. */
export const removeSshKey = async (sql: Sql, { userId, id }: { userId: string; id: string }): Promise<boolean> =>
  (await sql.query('delete from identity.ssh_keys where user_id = $1 and id = $2 returning 1', [userId, id])).length > 0
