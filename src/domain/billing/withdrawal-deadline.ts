import { DAY_MS } from './period.ts'

/** The withdrawal period in days (directive 2011/83/EU, article 9), not counting the day of the contract. */
export const WITHDRAWAL_DAYS = 14
const HOUR_MS = 60 * 60 * 1000
/** A date begins first 14 hours ahead of UTC, and ends last 12 hours behind it. */
const FIRST_BEGIN_MS = 14 * HOUR_MS
const LAST_END_MS = 12 * HOUR_MS

/** Days of every year on which offices in most member states are closed, as month and day. */
const CLOSED_DAYS = ['01-01', '05-01', '11-01', '12-24', '12-25', '12-26']

const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

function isWorkingDay(day: number, holidays: readonly string[]): boolean {
  const iso = isoDay(day)
  const weekday = new Date(day * DAY_MS).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !CLOSED_DAYS.includes(iso.slice(5)) && !holidays.includes(iso)
}

/**
 * The first time at which it is too late to withdraw. Open questions are decided in the customer's favour: the day of
 * the contract is the latest date anywhere on earth, the last day ends where it ends last, and if that day is a
 * Saturday, a Sunday or a holiday, the next working day is the last (regulation 1182/71). `holidays` are further days
 * such as `2027-03-29`. Both times in epoch milliseconds; independent of the machine's time zone.
 */
export function withdrawalDeadlineMs(concludedAtMs: number, holidays: readonly string[] = []): number {
  const concluded = Math.floor((concludedAtMs + FIRST_BEGIN_MS) / DAY_MS)
  let last = concluded + WITHDRAWAL_DAYS
  while (!isWorkingDay(last, holidays)) last += 1
  return (last + 1) * DAY_MS + LAST_END_MS
}
