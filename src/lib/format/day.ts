import { dayFormat } from '#domain/kernel/calendar-day.ts'

/** The calendar day of a moment in a zone, as `2026-11-20`. */
export const dayIn = (moment: Date | number | string, timeZone: string | undefined): string =>
  dayFormat(timeZone).format(new Date(moment))

/** The weekday of a calendar day, in the reader's language. */
export const weekdayOf = (day: string, locale: string, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

const DAY_MS = 86_400_000

const offsetMs = (atMs: number, timeZone: string | undefined): number => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(atMs))
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0)
  const shown = [part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')] as const
  return Date.UTC(...shown) - Math.floor(atMs / 1_000) * 1_000
}

/** When a day begins in a zone; NaN for a text that is no day. Where the clock is put forward at midnight, it begins after that. */
export const startOfDayMs = (day: string, timeZone: string | undefined): number => {
  const asUtcMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(asUtcMs)) return Number.NaN
  // The offset before the day and the one after it differ where the clock changes on this day.
  const candidates = [asUtcMs - DAY_MS, asUtcMs + DAY_MS].map((nearMs) => asUtcMs - offsetMs(nearMs, timeZone))
  const begins = candidates.filter((atMs) => dayIn(atMs, timeZone) === day)
  return begins.length === 0 ? Math.max(...candidates) : Math.min(...begins)
}
