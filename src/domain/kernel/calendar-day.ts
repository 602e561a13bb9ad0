const DAY_MS = 86_400_000

/** Writes a moment as its calendar day in a zone, `2026-11-20`. Created once for many moments: creating it takes longer than writing one. */
export const dayFormat = (timeZone: string | undefined): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

/** The calendar day that is so many days later, or earlier; a day of the calendar has no zone and no summer time. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
