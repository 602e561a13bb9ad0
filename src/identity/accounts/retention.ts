import { keptSinceMs } from '#domain/users/retention.ts'
import { sweepActivities } from '../people/activities.ts'
import { sweepChallenges } from '../sessions/challenges.ts'
import type { IdentityContext } from '../context/context.ts'
import { sweepDiscordAttempts } from './discord-link.ts'
import { sweepLimitBuckets } from '../context/limit-store.ts'
import { sweepProofs } from './sweep-proofs.ts'
import { sweepMailboxShares } from '../mails/mailbox-share.ts'

const DAY_MS = 86_400_000
/** Browsers keep the cookie of a known device for at most 400 days. */
const DEVICE_DAYS = 400

/** Ended sessions with their tokens, and devices whose cookie has expired. */
const sweepSessions = async ({ db, clock }: Pick<IdentityContext, 'db' | 'clock'>): Promise<void> => {
  const before = [new Date(keptSinceMs('logs', clock.now()))]
  // A session stays until the control plane knows that it ended.
  await db.query('delete from identity.sessions where ended_at < $1 and announced_at is not null', before)
  await db.query('delete from identity.sessions where ended_at is null and expires_at < $1', before)
  await db.query('delete from identity.known_devices where last_seen_at < $1', [
    new Date(clock.now() - DEVICE_DAYS * DAY_MS),
  ])
}

/**
 * Removes expired data and data past its retention period. Rejects with the first failure after everything was tried.
 */
export const sweepIdentity = async ({ db, clock }: Pick<IdentityContext, 'db' | 'clock'>): Promise<void> => {
  const outcomes = await Promise.allSettled([
    sweepLimitBuckets(db, clock),
    sweepChallenges(db, clock),
    sweepProofs(db, clock),
    sweepMailboxShares(db, clock),
    sweepActivities(db, { clock }),
    sweepDiscordAttempts(db, clock),
    sweepSessions({ db, clock }),
  ])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
