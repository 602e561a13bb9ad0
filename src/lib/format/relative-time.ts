const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago something was, in the largest whole unit: "5 min. ago", "yesterday"; under a minute it is "now". */
export const relativeTime = (atMs: number, nowMs: number, locale: string): string => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const passedMs = Math.max(0, nowMs - atMs)
  const [unit, unitMs] = UNITS.find(([, ms]) => passedMs >= ms) ?? (['second', Number.POSITIVE_INFINITY] as const)
  return format.format(-Math.floor(passedMs / unitMs) || 0, unit)
}

/** How long it is until something, in the largest unit of which there are two: "in 6 days", "in 44 hours"; never less than a minute. */
export const timeUntil = (endMs: number, nowMs: number, locale: string): string => {
  const leftMs = Math.max(60_000, endMs - nowMs)
  const [unit, unitMs] = UNITS.find(([, ms]) => leftMs >= 2 * ms) ?? UNITS[2]
  return new Intl.RelativeTimeFormat(locale).format(Math.floor(leftMs / unitMs), unit)
}
