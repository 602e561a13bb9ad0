import type { SecurityChange } from '#contracts/mail/mail.ts'
import { recordActivity } from '../people/activities.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { wayToSafety } from './factor-undo.ts'
import { canReceive, enqueueMail, ONE_DAY_MINUTES, oneLine } from './mail-outbox.ts'
import { readMailbox } from '../people/people.ts'

/**
 * Notifies a person by mail and in the security log that a token of their session was used twice, in the transaction
 * that ends the session: whoever has the copy may have more (security case 19). `address` is the origin of the second
 * use.
 */
export const tellOfCopy = async (
  tx: Sql,
  context: Pick<IdentityContext, 'ids' | 'clock' | 'sealSecret'>,
  { userId, address }: { userId: string; address: string },
): Promise<void> => {
  await recordActivity(tx, context, { userId, type: 'session.copied', status: 'failure', address })
  const mailbox = await readMailbox(tx, userId)
  if (!mailbox || !canReceive(mailbox)) return
  const { username, email, language } = mailbox
  const at = new Date(context.clock.now()).toISOString()
  const way = await wayToSafety(tx, context, mailbox)
  const content = {
    kind: 'session-copied',
    params: { username, address: oneLine(address) || '?', at, ...way },
  } as const
  await enqueueMail(tx, context, { to: email, language, content, minutes: ONE_DAY_MINUTES, requestId: '' })
}

/**
 * Notifies a person by mail and in the security log that their credentials have changed, in the transaction of the
 * change (ASVS 6.3.7).
 */
export const tellOfChange = async (
  tx: Sql,
  context: Pick<IdentityContext, 'ids' | 'clock' | 'sealSecret'>,
  { userId, change, origin }: { userId: string; change: SecurityChange; origin: Origin },
): Promise<void> => {
  await recordActivity(tx, context, {
    userId,
    type: `security.${change}`,
    status: 'success',
    address: origin.address,
  })
  const mailbox = await readMailbox(tx, userId)
  if (!mailbox || !canReceive(mailbox)) return
  const { username, email, language } = mailbox
  const at = new Date(context.clock.now()).toISOString()
  const way = await wayToSafety(tx, context, mailbox)
  const params = { username, change, address: oneLine(origin.address) || '?', at, ...way }
  const content = { kind: 'security-change', params } as const
  await enqueueMail(tx, context, { to: email, language, content, minutes: ONE_DAY_MINUTES, requestId: '' })
}
