import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { factorIsOff } from './factor-setup.ts'
import { proveAgain } from './prove-person.ts'
import type { Person, Reproof } from './prove-person.ts'
import { tellOfChange } from '../mails/security-mails.ts'
import { SESSION_CHANNEL } from '../sessions/session-ends.ts'

/** A stored WebAuthn credential. */
export type Passkey = {
  readonly id: string
  readonly userId: string
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

type Row = {
  id: string
  user_id: string
  credential_id: string
  public_key: Buffer
  counter: bigint
  transports: string
  name: string
  created_at: Date
  last_used_at: Date | null
}

const passkeyOf = (row: Row): Passkey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  transports: row.transports === '' ? [] : row.transports.split(' '),
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

/** A person's passkeys, oldest first. */
export const listPasskeys = async (sql: Sql, userId: string): Promise<Passkey[]> =>
  (await sql.query<Row>('select * from identity.passkeys where user_id = $1 order by created_at, id', [userId])).map(
    passkeyOf,
  )

/** The passkey of a credential id, if its person still exists. */
export const findPasskey = async (sql: Sql, credentialId: string): Promise<Passkey | null> => {
  const [row] = await sql.query<Row>(
    'select passkey.* from identity.passkeys passkey join public.users person on person.id = passkey.user_id where credential_id = $1',
    [credentialId],
  )
  return row ? passkeyOf(row) : null
}

/** Stores the counter of a use. False when a concurrent use was faster, or the credential is gone. */
export const countUse = async (
  sql: Sql,
  { passkey, counter, nowMs }: { passkey: Passkey; counter: number; nowMs: number },
): Promise<boolean> => {
  const rows = await sql.query(
    'update identity.passkeys set counter = $3, last_used_at = $4 where id = $1 and counter = $2 returning 1',
    [passkey.id, passkey.counter, counter, new Date(nowMs)],
  )
  return rows.length > 0
}

/** Renames a passkey of this person; false when it is not theirs. */
export const renamePasskey = async (
  sql: Sql,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<boolean> =>
  (
    await sql.query('update identity.passkeys set name = $3 where user_id = $1 and id = $2 returning 1', [
      userId,
      id,
      name,
    ])
  ).length > 0

// Sessions opened with the passkey end with it. An older session without a recorded passkey may have been opened with
// it, so it ends too.
const END_SESSIONS = `
  with ended as (
    update identity.sessions set ended_at = $4, end_reason = 'passkey removed'
    where user_id = $1 and id <> $2 and ended_at is null
      and (passkey_id = $3 or (factor = 'passkey' and passkey_id is null)) returning 1)
  select pg_notify('${SESSION_CHANNEL}', '') from ended limit 1`

const endSessionsOf = (
  tx: Sql,
  { clock }: Pick<IdentityContext, 'clock'>,
  { person, passkeyId }: { person: Person; passkeyId: string },
) => tx.query(END_SESSIONS, [person.userId, person.sessionId, passkeyId, new Date(clock.now())])

/** Removes a passkey of this person, and ends the other sessions that it opened. The person re-authenticates first. */
export const removePasskey = async (
  context: IdentityContext,
  removal: { person: Person; id: string; password: string; code: string | undefined },
  origin: Origin,
): Promise<
  { readonly ok: true } | Extract<Reproof, { ok: false }> | { readonly ok: false; readonly code: 'NOT_FOUND' }
> => {
  const proved = await proveAgain(context, removal, origin)
  if (!proved.ok) return proved
  const { userId } = removal.person
  return context.db.transaction(async (tx) => {
    // A concurrent sign-in with the passkey waits here, and then finds it gone.
    await tx.query('select 1 from identity.credentials where user_id = $1 for update', [userId])
    const rows = await tx.query('delete from identity.passkeys where user_id = $1 and id = $2 returning 1', [
      userId,
      removal.id,
    ])
    if (rows.length === 0) return { ok: false, code: 'NOT_FOUND' }
    await endSessionsOf(tx, context, { person: removal.person, passkeyId: removal.id })
    await factorIsOff(tx, userId)
    await tellOfChange(tx, context, { userId, change: 'passkey-removed', origin })
    return { ok: true }
  })
}
