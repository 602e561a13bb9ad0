import type { IdentityContext } from './context.ts'
import { secretHash } from './sessions.ts'

const DEVICE_BYTES = 32

// An id that no person has, so that an unknown name costs the same query.
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The device's fingerprint when this person signed in on it before, else null. */
export const findKnownDevice = async (
  context: IdentityContext,
  { userId, secret }: { userId: string | null; secret: string | null },
): Promise<string | null> => {
  if (secret === null) return null
  const hash = secretHash(secret)
  const rows = await context.db.query('select 1 from identity.known_devices where hash = $1 and user_id = $2', [
    hash,
    userId ?? NOBODY,
  ])
  return rows.length > 0 ? hash.toString('base64url') : null
}

/** Notes that this person signed in on the device. Resolves with the secret for its cookie: the old one, or a new one. */
export const rememberDevice = async (
  context: IdentityContext,
  userId: string,
  known: string | null,
): Promise<string> => {
  const secret = known ?? Buffer.from(context.ids.bytes(DEVICE_BYTES)).toString('base64url')
  await context.db.query(
    `insert into identity.known_devices (hash, user_id, first_seen_at, last_seen_at) values ($1, $2, $3, $3)
     on conflict (hash, user_id) do update set last_seen_at = excluded.last_seen_at`,
    [secretHash(secret), userId, new Date(context.clock.now())],
  )
  return secret
}
