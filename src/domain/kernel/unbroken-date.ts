const IN_A_DAY = new Set(['day', 'month'])

/** A moment in a format's words, in which no line ends between the day and its month. */
export function unbrokenDate(format: Intl.DateTimeFormat, date: Date): string {
  const parts = format.formatToParts(date)
  const isInDay = (at: number): boolean => IN_A_DAY.has(parts[at]?.type ?? '')
  return parts
    .map(({ value }, at) => (isInDay(at - 1) && isInDay(at + 1) ? value.replaceAll(' ', '\u00A0') : value))
    .join('')
}
