const kibi = 1_024
const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes as a number and its unit: `5,2` `GB`. `unit` fixes the unit, so that a value and its limit share one. */
export const bytesParts = (
  bytes: number,
  locale: string,
  unit?: (typeof units)[number],
): { value: string; unit: (typeof units)[number] } => {
  const power = unit
    ? units.indexOf(unit)
    : Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(kibi))))
  const value = bytes / kibi ** power
  const digits = value < 10 && power > 1 ? 1 : 0
  return {
    // A live value keeps its width beside its limit.
    value: new Intl.NumberFormat(locale, {
      maximumFractionDigits: digits,
      minimumFractionDigits: unit ? digits : 0,
    }).format(value),
    unit: units[power] ?? 'B',
  }
}

/** Running time in its two largest units. */
export const uptimeParts = (uptimeMs: number): { days: number; hours: number; minutes: number; seconds: number } => {
  const seconds = Math.max(0, Math.floor(uptimeMs / 1_000))
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor((seconds % 86_400) / 3_600),
    minutes: Math.floor((seconds % 3_600) / 60),
    seconds: seconds % 60,
  }
}
