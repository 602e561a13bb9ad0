/** A billing month is 30 x 24 h everywhere (clarifications, part 4), so no calendar or time zone can move an expiry. */
export const DAY_MS = 24 * 60 * 60 * 1000
export const BILLING_MONTH_DAYS = 30
export const BILLING_MONTH_MS = BILLING_MONTH_DAYS * DAY_MS

export const MIN_MONTHS = 1
export const MAX_MONTHS = 6

/** Start is included, end is not. Both are milliseconds since 1970 in UTC. */
export type Period = { readonly startMs: number; readonly endMs: number }

/** Whether somebody may rent or renew for this many months (specification section 9: 1 to 6). */
export function isRentableMonths(months: unknown): months is number {
  return typeof months === 'number' && Number.isInteger(months) && months >= MIN_MONTHS && months <= MAX_MONTHS
}

/**
 * A paid period of whole months. That of a new server begins when it is installed; that of a renewal begins at the old expiry, also when
 * it is paid late, so nobody gains or loses by the day of payment. Throws RangeError for months outside 1 to 6.
 */
export function paidPeriod(startMs: number, months: number): Period {
  if (!isRentableMonths(months)) throw new RangeError(`months must be ${MIN_MONTHS} to ${MAX_MONTHS}`)
  return { startMs, endMs: startMs + months * BILLING_MONTH_MS }
}

/** Whole days left, rounded up; never negative. */
export function remainingDays(expiryMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((expiryMs - nowMs) / DAY_MS))
}
