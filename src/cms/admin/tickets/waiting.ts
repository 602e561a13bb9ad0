const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long somebody has waited, in the largest whole unit: "3 days", "5 hours", "12 minutes"; at least a minute. */
export const waited = (sinceMs: number, nowMs: number, locale: string): string => {
  const waitedMs = Math.max(60_000, nowMs - sinceMs)
  const [unit, unitMs] = UNITS.find(([, ms]) => waitedMs >= ms) ?? UNITS[2]
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(waitedMs / unitMs),
  )
}
