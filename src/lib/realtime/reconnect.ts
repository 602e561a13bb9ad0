import { RECONNECT, RECONNECT_CODES } from '#contracts/close-codes.ts'

export type CloseFacts = { code: number; wasClean: boolean }

/** `stop`: the peer closed it on purpose, and the attempt counter restarts. `giveUp`: the attempts are exhausted. */
export type ReconnectPlan = { kind: 'wait'; delayMs: number; attempt: number } | { kind: 'giveUp' } | { kind: 'stop' }

const isOurFinalCode = (code: number) => code >= 4_400 && code <= 4_499

/** Delay before attempt number `attempt` (from 1): 1 s, doubled each time, at most 8 s (specification section 9). */
export const delayBefore = (attempt: number): number =>
  Math.min(RECONNECT.firstDelayMs * RECONNECT.factor ** (attempt - 1), RECONNECT.maxDelayMs)

const jitter = 0.25

/**
 * The delay less up to a quarter of it, so that the pages of a lost gateway do not reconnect at the same time. `random`
 * is 0 to 1.
 */
export const withJitter = (delayMs: number, random: number): number => Math.round(delayMs * (1 - jitter * random))

/**
 * The reaction to a close after `attempts` failed attempts in a row (specification section 4, architecture section 5).
 */
export const planReconnect = (close: CloseFacts, attempts: number): ReconnectPlan => {
  const goesOn = !isOurFinalCode(close.code) && (!close.wasClean || RECONNECT_CODES.includes(close.code))
  if (!goesOn) return { kind: 'stop' }
  if (attempts >= RECONNECT.maxAttempts) return { kind: 'giveUp' }
  return { kind: 'wait', delayMs: delayBefore(attempts + 1), attempt: attempts + 1 }
}
