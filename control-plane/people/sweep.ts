import { ATTACHMENT_WAITS_MS } from '#domain/tickets/attachment.ts'
import { CONTEXT_LIFE_MS } from '#domain/tickets/server-context.ts'
import { RECEIVED_LIFE_MS } from '#domain/tickets/mail-decision.ts'
import { hoursKeptSinceMs } from '#domain/servers/player-hours.ts'
import { KEPT_DAYS, keptSinceMs } from '#domain/users/retention.ts'
import type { Context } from '../platform/context.ts'
import { SUPPRESSION_LIFE_MS } from '../messages/mail/suppression.ts'
import { UNSEEN_LIFE_MS } from '../messages/push/push-subscriptions.ts'
import { forgetRemovedVotings } from '../votings/votings.ts'

const DAY_MS = 86_400_000
const COMMAND_LIFE_MS = 30 * DAY_MS
const MAIL_LIFE_MS = KEPT_DAYS.logs * DAY_MS
/** The documents of a busy day, with their stornos. */
const INVOICE_BATCH = 1_000
/** How long a repeated call returns its first result; movements of money have permanent keys in the ledger. */
const KEY_LIFE_MS = 30 * DAY_MS

/**
 * Removes used tickets, ended sessions, large events, old enrolment tokens, commands, mails and pushes, and data past
 * its retention period.
 */
export async function sweep({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const nowMs = clock.now()
  const before = (ageMs: number) => [new Date(nowMs - ageMs)]
  await db.query('delete from control.used_gateway_tickets where expires_at < $1', before(DAY_MS))
  await db.query('delete from control.ended_sessions where ended_at < $1', before(DAY_MS))
  await db.query('delete from control.revoked_shares where revoked_at < $1', before(DAY_MS))
  await db.query('delete from control.invitation_tries where tried_at < $1', before(DAY_MS))
  await db.query('delete from control.bus_events where created_at < $1', before(DAY_MS))
  await db.query('delete from control.enrolment_tokens where expires_at < $1', before(DAY_MS))
  await db.query(`delete from control.mails where finished_at < $1 and state <> 'waiting'`, before(MAIL_LIFE_MS))
  await db.query('delete from control.received_mails where received_at < $1', before(RECEIVED_LIFE_MS))
  await db.query('delete from control.mail_suppressions where since < $1', before(SUPPRESSION_LIFE_MS))
  await db.query(
    `delete from control.push_messages where finished_at < $1 and state <> 'waiting'`,
    before(MAIL_LIFE_MS),
  )
  await db.query('delete from control.push_subscriptions where seen_at < $1', before(UNSEEN_LIFE_MS))
  await db.query('delete from control.activities where created_at < $1', [new Date(keptSinceMs('activities', nowMs))])
  // A merged ticket goes with the one in which it is read.
  await db.query('delete from control.tickets where closed_at < $1 and merged_into is null', [
    new Date(keptSinceMs('tickets', nowMs)),
  ])
  await db.query(
    'delete from control.ticket_attachments where message_id is null and created_at < $1',
    before(ATTACHMENT_WAITS_MS),
  )
  await db.query('delete from control.seen_contexts where created_at < $1', before(CONTEXT_LIFE_MS))
  await db.query('delete from control.log_shares where ends_at < $1', before(0))
  await db.query('delete from control.player_hours where hour < $1', [new Date(hoursKeptSinceMs(nowMs))])
  await db.query('delete from control.idempotency_keys where created_at < $1', before(KEY_LIFE_MS))
  await db.query('select control.invoices_retire($1, $2, $3)', [
    new Date(keptSinceMs('invoices', nowMs)),
    new Date(nowMs),
    INVOICE_BATCH,
  ])
  // A failed installation is remembered for the life of its server: it must never be planned again.
  await db.query(
    `delete from control.commands where finished_at < $1 and (state <> 'failed' or kind <> 'install')`,
    before(COMMAND_LIFE_MS),
  )
  await forgetRemovedVotings(db)
}
