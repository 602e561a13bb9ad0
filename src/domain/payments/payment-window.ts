const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * Providers deliver money this long after the end of the customer's window; until then a payment is polled frequently.
 */
export const POLL_AFTER_WINDOW_MS = 72 * HOUR_MS
/** Afterwards late money is searched for once a day, for this long. After that only a webhook finds it. */
export const LATE_WATCH_MS = 30 * DAY_MS
/** A payment that was never opened at its provider expires after this time. */
export const UNOPENED_MS = HOUR_MS

const FIRST_DELAY_MS = 30_000
const MAX_DELAY_MS = HOUR_MS
const LATE_DELAY_MS = DAY_MS

export type WatchedPayment = {
  readonly createdAtMs: number
  /** Until when the customer can pay; null if the provider was never reached. */
  readonly openUntilMs: number | null
  /** The number of lookups. */
  readonly checks: number
}

const pollEndOf = ({ createdAtMs, openUntilMs }: WatchedPayment): number =>
  (openUntilMs ?? createdAtMs + UNOPENED_MS) + POLL_AFTER_WINDOW_MS

/**
 * When an unsettled payment is next looked up (T15): with doubling delays up to an hour until 72 hours after its
 * window, then once a day for 30 days, then null. Failed and expired payments are watched too, because they may still
 * be paid.
 */
export function nextLookMs(payment: WatchedPayment, nowMs: number): number | null {
  const pollEndMs = pollEndOf(payment)
  if (nowMs < pollEndMs) return nowMs + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(payment.checks, 10))
  return nowMs < pollEndMs + LATE_WATCH_MS ? nowMs + LATE_DELAY_MS : null
}

/** Whether a payment is no longer awaited: its customer is told that it failed, and late money still counts. */
export function isGivenUp(payment: WatchedPayment, nowMs: number): boolean {
  if (payment.openUntilMs === null) return nowMs - payment.createdAtMs > UNOPENED_MS
  return nowMs >= pollEndOf(payment)
}

/** A sent refund is looked up once a day, for this long after its beginning: banks return money within weeks. */
export const REFUND_WATCH_MS = 30 * DAY_MS
export const REFUND_LOOK_MS = DAY_MS

/** When a refund just reported by its provider is next looked up, after `checks` lookups; null for never. */
export function nextRefundLookMs(
  state: 'pending' | 'succeeded' | 'failed',
  { checks, nowMs }: { readonly checks: number; readonly nowMs: number },
): number | null {
  if (state === 'failed') return null
  return state === 'succeeded' ? nowMs + REFUND_LOOK_MS : lookAgainMs(checks + 1, nowMs)
}

/** When a payment is next looked up after `failures` failed lookups in a row: with doubling delays. */
export function lookAgainMs(failures: number, nowMs: number): number {
  return nowMs + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 10))
}
