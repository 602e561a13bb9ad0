const SERIES = /^[A-Z][A-Z0-9]{0,7}$/
const DIGITS = 6
const LARGEST = 10 ** DIGITS - 1
const NUMBER = /^([A-Z][A-Z0-9]{0,7})-(\d{4})-(\d{6})$/

export type InvoiceNumber = { readonly series: string; readonly year: number; readonly sequence: number }

/**
 * Formats a document's number, like BKT-2026-000001. The sequence starts at 1 in each series and year and has no gaps:
 * the next number is taken in the transaction that writes the document. Throws RangeError for an invalid series, year
 * or sequence.
 */
export function formatInvoiceNumber({ series, year, sequence }: InvoiceNumber): string {
  if (!SERIES.test(series)) throw new RangeError('a series is 1 to 8 capital letters and digits')
  if (!Number.isInteger(year) || year < 1000 || year > 9999) throw new RangeError('a year has four digits')
  if (!Number.isInteger(sequence) || sequence < 1 || sequence > LARGEST) throw new RangeError('the sequence is used up')
  const { prefix, digits } = numberShape({ series, year })
  return `${prefix}${String(sequence).padStart(digits, '0')}`
}

/** The format of a year's numbers in a series: a prefix, then the sequence padded to `digits`. */
export const numberShape = ({ series, year }: Omit<InvoiceNumber, 'sequence'>) => ({
  prefix: `${series}-${year}-`,
  digits: DIGITS,
})

/** Parses a document's number; undefined for any other text. */
export function parseInvoiceNumber(text: string): InvoiceNumber | undefined {
  const [, series, year, sequence] = NUMBER.exec(text) ?? []
  if (series === undefined || Number(sequence) < 1 || Number(year) < 1000) return undefined
  return { series, year: Number(year), sequence: Number(sequence) }
}

const yearIn = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' })
/** Created once, because creating a formatter takes longer than formatting. */
const YEAR_OF_SELLER = yearIn('Europe/Budapest')

/**
 * The year of a document: that of its issue date in the seller's time zone. An invoice of 23:30 UTC on the last of
 * December belongs to the next year in Budapest.
 */
export const invoiceYear = (issuedAtMs: number, timeZone?: string): number =>
  Number((timeZone === undefined ? YEAR_OF_SELLER : yearIn(timeZone)).format(issuedAtMs))
