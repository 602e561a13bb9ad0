import type { IdentityContext } from '../context/context.ts'
import { mailboxKey } from '../context/limits.ts'
import type { Sql } from '../context/database.ts'

/** Mails that anybody can cause, to one mailbox: codes, links of a reset or a change, and notices of registrations. */
export const MAILBOX_SHARE = { inAnHour: 3, inADay: 6 } as const

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

// One statement, whose row makes concurrent requests wait for one another.
const TAKE = `
  insert into identity.mailbox_mails as kept (mailbox, sent_at, newest_at) values ($1, array[$2::timestamptz], $2)
  on conflict (mailbox) do update
    set sent_at = array(select at from unnest(kept.sent_at) at where at > $4) || $2::timestamptz, newest_at = $2
    where (select count(*) filter (where at > $3) < ${MAILBOX_SHARE.inAnHour} and count(*) < ${MAILBOX_SHARE.inADay}
           from unnest(kept.sent_at) at where at > $4)
  returning 1`

/**
 * Whether a mailbox may get one more mail that a stranger can cause, and counts it. All addresses of a mailbox share its
 * mails, from whatever account, address or form they are caused. Callers respond alike whether or not the mail is sent,
 * so that nobody learns how many others there were.
 */
export const takeMailboxShare = async (
  { db, clock }: Pick<IdentityContext, 'db' | 'clock'>,
  email: string,
): Promise<boolean> => {
  const nowMs = clock.now()
  const taken = await db.query(TAKE, [
    mailboxKey(email),
    new Date(nowMs),
    new Date(nowMs - HOUR_MS),
    new Date(nowMs - DAY_MS),
  ])
  return taken.length > 0
}

/** Deletes mailboxes whose mails are a day old. */
export const sweepMailboxShares = async (sql: Sql, clock: IdentityContext['clock']): Promise<void> => {
  await sql.query('delete from identity.mailbox_mails where newest_at < $1', [new Date(clock.now() - DAY_MS)])
}
