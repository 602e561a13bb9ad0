import type { StoredAttempts } from './store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * The delay after the first failure; doubles up to a day. Authorities allow five failed challenges of a name per hour.
 */
const FIRST_RETRY_MS = 5 * MINUTE_MS
const LONGEST_RETRY_MS = DAY_MS
/** A longer Retry-After is ignored: it may be due to a wrong clock. */
const LONGEST_DEMAND_MS = 30 * DAY_MS
const LONGEST_WARNING_MS = 14 * DAY_MS

export interface Life {
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly obtainedAtMs: number
}

/**
 * When to renew: at two thirds of the lifetime, randomly up to a thirtieth of it earlier, so that nodes set up on one
 * day do not renew at the same time. Never before half of the remaining time at issue, so that certificates that are
 * close to expiry do not cause endless orders. `chance` is between 0 and 1.
 */
export const renewalAtMs = ({ startsAtMs, endsAtMs, obtainedAtMs }: Life, chance: number): number => {
  const lifeMs = endsAtMs - startsAtMs
  const wishedMs = startsAtMs + (lifeMs * 2) / 3 - (lifeMs / 30) * chance
  return Math.round(Math.max(wishedMs, obtainedAtMs + (endsAtMs - obtainedAtMs) / 2))
}

/**
 * The authority's suggested renewal time: not within an hour of the last one, and early enough to allow for one
 * failure.
 */
export const suggestedAtMs = ({ startsAtMs, endsAtMs, obtainedAtMs }: Life, wishedMs: number): number =>
  Math.max(obtainedAtMs + HOUR_MS, Math.min(wishedMs, endsAtMs - (endsAtMs - startsAtMs) / 6))

/** How long before the expiry to warn: 14 days, or half of the third that is left at renewal, whichever is shorter. */
export const warnBeforeMs = (lifeMs: number): number =>
  lifeMs / 3 > LONGEST_WARNING_MS ? LONGEST_WARNING_MS : lifeMs / 6

/** Milliseconds between failure number `failures` (from 1) and the next attempt: doubles, with a random quarter. */
export const retryDelayMs = (failures: number, chance: number): number => {
  const fullMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 16))
  return Math.round(fullMs + (fullMs / 4) * chance)
}

/** The time before which the authority refuses requests by its own Retry-After; 0 without a plausible one. */
const demandAtMs = ({ retryAtMs, atMs }: StoredAttempts): number =>
  retryAtMs === null ? 0 : Math.min(retryAtMs, atMs + LONGEST_DEMAND_MS)

/**
 * When the next attempt may begin after a failure. A restarted agent respects the authority's Retry-After, but shortens
 * its own delay to that of a first failure, because its operator may have fixed the cause. A record from the future is
 * ignored: the clock went back.
 */
export const nextAttemptAtMs = (
  attempts: StoredAttempts | undefined,
  about: { readonly nowMs: number; readonly chance: number; readonly isRestart: boolean },
): number => {
  if (attempts === undefined || attempts.atMs > about.nowMs) return 0
  const failures = about.isRestart ? 1 : attempts.failures
  return Math.max(attempts.atMs + retryDelayMs(failures, about.chance), demandAtMs(attempts))
}
