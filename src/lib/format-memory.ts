/** Memory or disk as people read it: `512 MB`, `1.5 GB`. The space never breaks a line. */
export const memoryText = (mebibytes: number, locale: string): string =>
  mebibytes < 1_024
    ? `${mebibytes}\u00A0MB`
    : `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(mebibytes / 1_024)}\u00A0GB`
