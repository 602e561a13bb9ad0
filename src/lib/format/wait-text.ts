const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** A wait is said in a unit of which it has at least this many, rounded up: nobody is promised less. */
const AT_LEAST = 2

/** How long something took, in one unit: "48 minutes". */
export const waitText = (waitMs: number, locale: string): string => {
  const [unit, unitMs] = UNITS.find(([, ms]) => waitMs >= AT_LEAST * ms) ?? UNITS[2]
  const count = Math.max(1, Math.ceil(waitMs / unitMs))
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
