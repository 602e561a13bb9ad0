/**
 * A billing month is 30 x 24 h everywhere (clarifications, part 4), so that no calendar or time zone can move an
 * expiry.
 */
export const DAY_MS = 24 * 60 * 60 * 1000
export const BILLING_MONTH_DAYS = 30
export const BILLING_MONTH_MS = BILLING_MONTH_DAYS * DAY_MS

export const MIN_MONTHS = 1
export const MAX_MONTHS = 6

/** Start inclusive, end exclusive. Both in epoch milliseconds. */
export type Period = { readonly startMs: number; readonly endMs: number }

/** Whether this number of months can be rented or renewed (specification section 9: 1 to 6). */
export function isRentableMonths(months: unknown): months is number {
  return typeof months === 'number' && Number.isInteger(months) && months >= MIN_MONTHS && months <= MAX_MONTHS
}

/** The paid period of a new server. Throws RangeError for months outside 1 to 6. */
export function firstPeriod(startMs: number, months: number): Period {
  if (!isRentableMonths(months)) throw new RangeError(`months must be ${MIN_MONTHS} to ${MAX_MONTHS}`)
  return { startMs, endMs: startMs + months * BILLING_MONTH_MS }
}

/** A renewal extends the old expiry, even if it is paid late, so that nobody gains or loses by the day of payment. */
export function renewalPeriod(expiryMs: number, months: number): Period {
  return firstPeriod(expiryMs, months)
}

/** Remaining whole days, rounded up; never negative. */
export function remainingDays(expiryMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((expiryMs - nowMs) / DAY_MS))
}
