import type { StoredAttempts } from './store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** After the first failure; doubles up to a day. Authorities allow five failed checks of a name in an hour. */
const FIRST_RETRY_MS = 5 * MINUTE_MS
const LONGEST_RETRY_MS = DAY_MS
/** An authority that asks for more than this is not taken at its word: it may be a clock that is off. */
const LONGEST_DEMAND_MS = 30 * DAY_MS
const LONGEST_WARNING_MS = 14 * DAY_MS

export interface Life {
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly obtainedAtMs: number
}

/**
 * When to renew: at two thirds of the life, by chance up to a thirtieth of it earlier, so that nodes of one day do not all
 * come at once. Never before half of what was left when it was obtained, so that an authority that hands out certificates
 * which are nearly over is not asked without end. `chance` is between 0 and 1.
 */
export const renewalAtMs = ({ startsAtMs, endsAtMs, obtainedAtMs }: Life, chance: number): number => {
  const lifeMs = endsAtMs - startsAtMs
  const wishedMs = startsAtMs + (lifeMs * 2) / 3 - (lifeMs / 30) * chance
  return Math.round(Math.max(wishedMs, obtainedAtMs + (endsAtMs - obtainedAtMs) / 2))
}

/** When the authority wishes the renewal: not within an hour of the last one, and not so late that one failure is the end. */
export const suggestedAtMs = ({ startsAtMs, endsAtMs, obtainedAtMs }: Life, wishedMs: number): number =>
  Math.max(obtainedAtMs + HOUR_MS, Math.min(wishedMs, endsAtMs - (endsAtMs - startsAtMs) / 6))

/** How long before the end to warn: 14 days, or half of the third that renewal leaves where that is shorter. */
export const warnBeforeMs = (lifeMs: number): number =>
  lifeMs / 3 > LONGEST_WARNING_MS ? LONGEST_WARNING_MS : lifeMs / 6

/** Milliseconds between failure number `failures` (from 1) and the next attempt: doubles, a quarter of it by chance. */
export const retryDelayMs = (failures: number, chance: number): number => {
  const fullMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 16))
  return Math.round(fullMs + (fullMs / 4) * chance)
}

/** Before when an authority may not be asked again, by its own word; 0 when it said nothing that can be meant. */
const demandAtMs = ({ retryAtMs, atMs }: StoredAttempts): number =>
  retryAtMs === null ? 0 : Math.min(retryAtMs, atMs + LONGEST_DEMAND_MS)

/**
 * When the next attempt may begin after what failed before. An agent that was started again waits for what the authority
 * asked, and for its own pause no longer than after a first failure: its operator may have mended the cause. A record from
 * the future counts as none: the clock went back.
 */
export const nextAttemptAtMs = (
  attempts: StoredAttempts | undefined,
  about: { readonly nowMs: number; readonly chance: number; readonly isRestart: boolean },
): number => {
  if (attempts === undefined || attempts.atMs > about.nowMs) return 0
  const failures = about.isRestart ? 1 : attempts.failures
  return Math.max(attempts.atMs + retryDelayMs(failures, about.chance), demandAtMs(attempts))
}
