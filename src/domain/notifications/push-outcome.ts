import { retryAfter, type FailedTry } from '../kernel/retry.ts'

/** A push service that is away for longer than this has somebody looking at it already. */
export const MAX_PUSH_TRIES = 12

/** A push tells of something that just happened: after a day it is not news. */
export const PUSH_LIFE_MS = 86_400_000

export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The browser is not subscribed any more: it is forgotten. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'again'; readonly atMs: number; readonly isOurs: boolean }
  | { readonly kind: 'failed'; readonly reason: 'refused' | 'expired' | 'tries' }

/** What a push service said: a status of HTTP, or nothing. `retryAfterMs` is its own wish. */
export type PushAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'unreachable' }

/**
 * What follows from the answer to a push (RFC 8030 sections 5 and 8). 404 and 410 end the subscription; 401 and 403 are ours to
 * mend, as the service does not take our key; 429, 5xx and silence pass. `tries` counts this one; times are epoch milliseconds.
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

/** Never before the service wants to hear of us. */
const later = (
  retryAfterMs: number | undefined,
  { isOurs, ...failed }: FailedTry & { readonly isOurs: boolean },
): PushOutcome => {
  const retry = retryAfter(failed, { maxTries: MAX_PUSH_TRIES, atLeastMs: retryAfterMs ?? 0 })
  return retry.again ? { kind: 'again', atMs: retry.atMs, isOurs } : { kind: 'failed', reason: retry.reason }
}
