/** An amount of memory or storage: `512 MB`, `1,5 GB`. */
export const memoryText = (mebibytes: number, locale: string): string =>
  mebibytes < 1_024
    ? `${mebibytes}\u00A0MB`
    : `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(mebibytes / 1_024)}\u00A0GB`
