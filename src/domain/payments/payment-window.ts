const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Providers bring money this long after a customer could last pay; until then a payment is asked about all the time. */
export const POLL_AFTER_WINDOW_MS = 72 * HOUR_MS
/** Late money is looked for this long after that, once a day. Later than this only a message of the provider finds it. */
export const LATE_WATCH_MS = 30 * DAY_MS
/** A payment that was never opened at its provider is given up after this time. */
export const UNOPENED_MS = HOUR_MS

const FIRST_DELAY_MS = 30_000
const MAX_DELAY_MS = HOUR_MS
const LATE_DELAY_MS = DAY_MS

export type WatchedPayment = {
  readonly createdAtMs: number
  /** Until when the customer can pay; null where the provider was never reached. */
  readonly openUntilMs: number | null
  /** How often it was looked at. */
  readonly checks: number
}

const pollEndOf = ({ createdAtMs, openUntilMs }: WatchedPayment): number =>
  (openUntilMs ?? createdAtMs + UNOPENED_MS) + POLL_AFTER_WINDOW_MS

/**
 * When an unsettled payment is looked at again (T15): twice as late each time up to an hour until its window and 72 hours
 * are over, then once a day for 30 days, then null. Failed and expired payments are watched as well: they may yet be paid.
 */
export function nextLookMs(payment: WatchedPayment, nowMs: number): number | null {
  const pollEndMs = pollEndOf(payment)
  if (nowMs < pollEndMs) return nowMs + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(payment.checks, 10))
  return nowMs < pollEndMs + LATE_WATCH_MS ? nowMs + LATE_DELAY_MS : null
}

/** Whether nobody waits for this payment any more: its customer is told that it failed, and late money still counts. */
export function isGivenUp(payment: WatchedPayment, nowMs: number): boolean {
  if (payment.openUntilMs === null) return nowMs - payment.createdAtMs > UNOPENED_MS
  return nowMs >= pollEndOf(payment)
}

/** A refund that was sent is looked at once a day, this long after it was begun: banks send money back within weeks. */
export const REFUND_WATCH_MS = 30 * DAY_MS
export const REFUND_LOOK_MS = DAY_MS

/** When a refund is looked at again that its provider has just told of, after `checks` looks before; null for never. */
export function nextRefundLookMs(
  state: 'pending' | 'succeeded' | 'failed',
  { checks, nowMs }: { readonly checks: number; readonly nowMs: number },
): number | null {
  if (state === 'failed') return null
  return state === 'succeeded' ? nowMs + REFUND_LOOK_MS : lookAgainMs(checks + 1, nowMs)
}

/** When a payment is looked at again whose provider could not be asked for the `failures`th time in a row: twice as late each time. */
export function lookAgainMs(failures: number, nowMs: number): number {
  return nowMs + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 10))
}
