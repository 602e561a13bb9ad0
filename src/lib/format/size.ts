/** An amount of memory or storage: `512 MB`, `1,5 GB`. */
export const memoryText = (mebibytes: number, locale: string): string =>
  mebibytes < 1_024
    ? `${mebibytes}\u00A0MB`
    : `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(mebibytes / 1_024)}\u00A0GB`

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const
const STEP = 1_024

/** The size of a file: `412 B`, `1,1 kB`, `49 MB`. One decimal below ten. */
export const bytesText = (bytes: number, locale: string): string => {
  let [value, unit] = [bytes, 0]
  // 1,023.6 would be rounded to 1,024 of the smaller unit.
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) [value, unit] = [value / STEP, unit + 1]
  const digits = unit > 0 && value < 10 ? 1 : 0
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)}\u00A0${UNITS[unit]}`
}
