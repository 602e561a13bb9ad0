const FIRST_WAIT_MS = 10_000
const LONGEST_WAIT_MS = 3_600_000

export type Retry =
  { readonly again: true; readonly atMs: number } | { readonly again: false; readonly reason: 'expired' | 'tries' }

/** A failed attempt: `tries` counts it, at least 1; times are epoch milliseconds. */
export type FailedTry = { readonly tries: number; readonly nowMs: number; readonly expiresAtMs: number }

/**
 * When a failed delivery is retried: after 10 s, doubling up to an hour, not before the peer's own time (`atLeastMs`),
 * and only while it is worth sending.
 */
export const retryAfter = (
  { tries, nowMs, expiresAtMs }: FailedTry,
  { maxTries, atLeastMs = 0 }: { readonly maxTries: number; readonly atLeastMs?: number },
): Retry => {
  if (tries >= maxTries) return { again: false, reason: 'tries' }
  const atMs = nowMs + Math.max(atLeastMs, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)))
  return atMs < expiresAtMs ? { again: true, atMs } : { again: false, reason: 'expired' }
}
