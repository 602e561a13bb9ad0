import type { MessageDismissal } from '#contracts/http/global-message.ts'
import type { IdentityContext } from '../../identity/context/context.ts'
import type { Sql } from '../../identity/context/database.ts'

/** The messages that a person has dismissed, in the revisions that they saw. */
export const dismissedBy = (db: Sql, userId: string): Promise<MessageDismissal[]> =>
  db.query<MessageDismissal>('select message_id as id, revision from identity.dismissed_messages where user_id = $1', [
    userId,
  ])

/**
 * Stores that a person dismissed a message, and deletes their dismissals of removed messages, so that a person never
 * has more rows than there are messages. An unknown message is ignored.
 */
export const dismissMessage = async (
  { db, clock }: Pick<IdentityContext, 'db' | 'clock'>,
  userId: string,
  { id, revision }: MessageDismissal,
): Promise<void> => {
  await db.query(
    `with gone as (
       delete from identity.dismissed_messages d
       where d.user_id = $1 and not exists (select from public.global_messages m where m.id = d.message_id))
     insert into identity.dismissed_messages (user_id, message_id, revision, dismissed_at)
     select $1, m.id, $3, $4 from public.global_messages m where m.id = $2
     on conflict (user_id, message_id) do update set revision = excluded.revision, dismissed_at = excluded.dismissed_at`,
    [userId, id, revision, new Date(clock.now())],
  )
}
