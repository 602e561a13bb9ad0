import type { Locale } from '#contracts/locale.ts'
import { stateOf, wordsOf, type InvoiceDocument } from './invoice-document.ts'
import { dayOf } from './write-invoice.ts'

const COLUMNS: Readonly<Record<Locale, readonly string[]>> = {
  en: [
    'Number',
    'Issued',
    'Performed',
    'State',
    'What',
    'Net (HUF)',
    'VAT (HUF)',
    'Total (HUF)',
    'VAT rate',
    'Belongs to',
  ],
  hu: [
    'Sorszám',
    'Kelt',
    'Teljesítés',
    'Állapot',
    'Megnevezés',
    'Nettó (Ft)',
    'Áfa (Ft)',
    'Bruttó (Ft)',
    'Áfakulcs',
    'Kapcsolódó bizonylat',
  ],
  de: [
    'Nummer',
    'Ausgestellt',
    'Leistung',
    'Status',
    'Bezeichnung',
    'Netto (HUF)',
    'MwSt. (HUF)',
    'Brutto (HUF)',
    'Steuersatz',
    'Gehört zu',
  ],
}

const STATES: Readonly<
  Record<Locale, Readonly<Record<ReturnType<typeof stateOf> | 'takesBack' | 'corrects', string>>>
> = {
  en: {
    issued: 'issued',
    paid: 'paid',
    storno: 'cancelled',
    corrected: 'corrected',
    takesBack: 'cancellation',
    corrects: 'correction',
  },
  hu: {
    issued: 'kiállítva',
    paid: 'fizetve',
    storno: 'sztornózva',
    corrected: 'helyesbítve',
    takesBack: 'sztornó',
    corrects: 'helyesbítő',
  },
  de: {
    issued: 'ausgestellt',
    paid: 'bezahlt',
    storno: 'storniert',
    corrected: 'berichtigt',
    takesBack: 'Storno',
    corrects: 'Korrektur',
  },
}

// Spreadsheets evaluate cells that begin with one of these.
const FORMULA = /^[=+\-@\t\r]/

const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[";\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const rowOf = (invoice: InvoiceDocument, language: Locale): (string | number)[] => [
  invoice.number,
  dayOf(invoice.issuedAt.getTime()),
  invoice.performedOn,
  STATES[language][stateIn(invoice)],
  wordsOf(invoice, language),
  invoice.netFt,
  invoice.vatFt,
  invoice.grossFt,
  `${invoice.rateBasisPoints / 100} %`,
  relatedTo(invoice),
]

const stateIn = (invoice: InvoiceDocument) =>
  invoice.kind === 'invoice' ? stateOf(invoice) : invoice.kind === 'storno' ? 'takesBack' : 'corrects'

const relatedTo = ({ stornoOf, stornoBy, correctionOf, correctedBy }: InvoiceDocument): string =>
  [stornoOf, stornoBy, correctionOf, ...correctedBy].flatMap((other) => other?.number ?? []).join(', ')

/**
 * Documents as a table that spreadsheets in the three languages open directly: semicolons, a UTF-8 mark at the start,
 * ISO dates, amounts in whole forints.
 */
export const invoicesCsv = (invoices: readonly InvoiceDocument[], language: Locale): string =>
  `\uFEFF${[COLUMNS[language], ...invoices.map((invoice) => rowOf(invoice, language))]
    .map((row) => row.map(cell).join(';'))
    .join('\r\n')}\r\n`
