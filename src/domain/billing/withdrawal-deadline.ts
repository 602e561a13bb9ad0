import { DAY_MS } from './period.ts'

/** Days to withdraw in (directive 2011/83/EU, article 9), the day of the contract not counted. */
export const WITHDRAWAL_DAYS = 14
/** The last place on earth where a day ends is 12 hours behind UTC. */
const LAST_PLACE_MS = 12 * 60 * 60 * 1000

/** Days of every year on which offices are closed in most member states, as month and day. */
const CLOSED_DAYS = ['01-01', '05-01', '11-01', '12-24', '12-25', '12-26']

const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

function isWorkingDay(day: number, holidays: readonly string[]): boolean {
  const iso = isoDay(day)
  const weekday = new Date(day * DAY_MS).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !CLOSED_DAYS.includes(iso.slice(5)) && !holidays.includes(iso)
}

/**
 * The first moment at which it is too late to withdraw. Whatever the rules leave open is decided for the customer: days end where they
 * end last on earth, and when the last one is a Saturday, a Sunday or a holiday, the next working day is the last (regulation 1182/71).
 * `holidays` are further days as `2027-03-29`. Both times in milliseconds since 1970; no time zone of a machine matters.
 */
export function withdrawalDeadlineMs(concludedAtMs: number, holidays: readonly string[] = []): number {
  const concluded = Math.floor((concludedAtMs - LAST_PLACE_MS) / DAY_MS)
  let last = concluded + WITHDRAWAL_DAYS
  while (!isWorkingDay(last, holidays)) last += 1
  return (last + 1) * DAY_MS + LAST_PLACE_MS
}
