import { retryAfter, type FailedTry } from '../kernel/retry.ts'

/** If a push service is down for longer than this, somebody is looking at it already. */
export const MAX_PUSH_TRIES = 12

/** A push reports a recent event: after a day it is not news. */
export const PUSH_LIFE_MS = 86_400_000

export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The browser is no longer subscribed: its subscription is deleted. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'again'; readonly atMs: number; readonly isOurs: boolean }
  | { readonly kind: 'failed'; readonly reason: 'refused' | 'expired' | 'tries' }

/** A push service's response: an HTTP status, or nothing. `retryAfterMs` is its Retry-After. */
export type PushAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'unreachable' }

/**
 * The consequence of a push service's response (RFC 8030 sections 5 and 8). 404 and 410 end the subscription; 401 and
 * 403 are ours to fix, because the service refuses our key; 429, 5xx and silence are temporary. `tries` counts this
 * attempt; times are epoch milliseconds.
 */
export const judgePush = (answer: PushAnswer, present: FailedTry): PushOutcome => {
  if (answer.kind === 'unreachable') return later(undefined, { ...present, isOurs: false })
  const { status, retryAfterMs } = answer
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 401 || status === 403) return later(retryAfterMs, { ...present, isOurs: true })
  if (status === 429 || status >= 500) return later(retryAfterMs, { ...present, isOurs: false })
  return { kind: 'failed', reason: 'refused' }
}

/** Never before the service's Retry-After. */
const later = (
  retryAfterMs: number | undefined,
  { isOurs, ...failed }: FailedTry & { readonly isOurs: boolean },
): PushOutcome => {
  const retry = retryAfter(failed, { maxTries: MAX_PUSH_TRIES, atLeastMs: retryAfterMs ?? 0 })
  return retry.again ? { kind: 'again', atMs: retry.atMs, isOurs } : { kind: 'failed', reason: retry.reason }
}
