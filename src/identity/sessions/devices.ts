import type { IdentityContext } from '../context/context.ts'
import { deviceOf } from './device-of.ts'
import { wayToSafety } from '../mails/factor-undo.ts'
import { bucketKey } from '../context/limits.ts'
import { canReceive, enqueueMail, ONE_DAY_MINUTES, oneLine } from '../mails/mail-outbox.ts'
import { readMailbox } from '../people/people.ts'
import { secretHash } from '../context/secret-hash.ts'

const DEVICE_BYTES = 32

// An id that no person has, so that an unknown name costs the same query.
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The device's fingerprint if this person signed in on it before, else null. */
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

/** Browser and system by their common names; unknown ones as the client names itself. */
const nameOf = (userAgent: string): string => {
  const { browser, system } = deviceOf(userAgent)
  return [browser, system].filter(Boolean).join(', ') || oneLine(userAgent) || '?'
}

/**
 * Notifies a person of a device on which the account was never used. The session that was opened last is the device's.
 */
const tellOfDevice = async (context: IdentityContext, userId: string): Promise<void> => {
  const mailbox = await readMailbox(context.db, userId)
  const [session] = await context.db.query<{ address: string; user_agent: string; created_at: Date }>(
    'select address, user_agent, created_at from identity.sessions where user_id = $1 order by created_at desc, id desc limit 1',
    [userId],
  )
  if (!mailbox || !session) return
  const { address, user_agent: userAgent, created_at: at } = session
  // Repeated sign-ins with the right password cannot flood a mailbox. They count even when nothing is sent: the
  // remaining limit must not reveal whose the address is.
  const limit = await context.limits.take('mailAccount', bucketKey('mailAccount', { address, account: userId }))
  if (!limit.ok || !canReceive(mailbox)) return
  const { username, email, language } = mailbox
  const place = context.places.of(address, language)
  const seen = { device: nameOf(userAgent), address: oneLine(address) || '?', place, at: at.toISOString() }
  await context.db.transaction(async (tx) => {
    const way = await wayToSafety(tx, context, mailbox)
    const content = { kind: 'new-device', params: { username, ...seen, ...way } } as const
    await enqueueMail(tx, context, { to: email, language, content, minutes: ONE_DAY_MINUTES, requestId: '' })
  })
}

/**
 * Records that this person signed in on the device, and resolves with a new secret for its cookie. A secret from before
 * the sign-in is never kept, because somebody else may have put it there: whoever knew it knows nothing of the device
 * afterwards. All people of the device move to the new secret. The person is notified by mail of every device after the
 * first.
 */
export const rememberDevice = async (
  context: IdentityContext,
  userId: string,
  shown: string | null,
): Promise<string> => {
  const secret = Buffer.from(context.ids.bytes(DEVICE_BYTES)).toString('base64url')
  const values = [secretHash(secret), userId, new Date(context.clock.now())]
  const isNew = await context.db.transaction(async (tx) => {
    if (shown !== null) {
      const moved = await tx.query<{ user_id: string }>(
        `update identity.known_devices
         set hash = $1, last_seen_at = case when user_id = $2 then $3 else last_seen_at end
         where hash = $4 returning user_id`,
        [...values, secretHash(shown)],
      )
      if (moved.some((row) => row.user_id === userId)) return false
    }
    const [row] = await tx.query<{ others: number }>(
      `insert into identity.known_devices (hash, user_id, first_seen_at, last_seen_at) values ($1, $2, $3, $3)
       returning (select count(*)::int from identity.known_devices other where other.user_id = $2) as others`,
      values,
    )
    return (row?.others ?? 0) > 0
  })
  if (isNew) await tellOfDevice(context, userId)
  return secret
}
