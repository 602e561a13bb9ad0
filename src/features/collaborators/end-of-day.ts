const DAY_MS = 86_400_000

/** How far a zone's clock is ahead of UTC at a moment. */
const aheadMs = (atMs: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(atMs)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return shown - Math.floor(atMs / 1_000) * 1_000
}

/** The day of a moment in a zone, as a date field writes it. */
export const dayIn = (atMs: number, timeZone: string): string => {
  const shown = new Date(atMs + aheadMs(atMs, timeZone))
  return shown.toISOString().slice(0, 10)
}

/** The last second of a day in a zone, as an instant; undefined for what is no day. */
export const endOfDay = (day: string, timeZone: string): string | undefined => {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(startMs)) return undefined
  const wantedMs = startMs + DAY_MS - 1_000
  // The clock may change during the day: the difference at the guess is not yet the one at its end.
  const guessMs = wantedMs - aheadMs(wantedMs, timeZone)
  return new Date(wantedMs - aheadMs(guessMs, timeZone)).toISOString()
}

/** The day so many days after today, in a zone. */
export const dayAfter = (nowMs: number, days: number, timeZone: string): string =>
  dayIn(nowMs + days * DAY_MS, timeZone)
