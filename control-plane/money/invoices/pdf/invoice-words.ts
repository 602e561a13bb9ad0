import type { Locale } from '#contracts/locale.ts'

/** The printed words of documents, in one language. */
export type InvoiceWords = {
  readonly titles: {
    readonly electronic: string
    readonly receipt: string
    readonly storno: string
    readonly correction: string
  }
  readonly number: string
  readonly seller: string
  readonly customer: string
  readonly taxNumber: string
  readonly euTaxNumber: string
  readonly registryNumber: string
  readonly bankAccount: string
  readonly issued: string
  readonly performed: string
  readonly payment: string
  readonly methods: Readonly<Record<string, string>>
  readonly what: string
  readonly quantity: string
  readonly net: string
  readonly vat: string
  readonly gross: string
  readonly total: string
  readonly paid: string
  readonly refunded: string
  readonly takesBack: (number: string) => string
  readonly takenBackBy: (number: string) => string
  readonly corrects: (number: string) => string
  readonly correctedBy: (numbers: string) => string
  readonly reason: string
  readonly reverseCharge: string
  readonly outsideEu: string
  readonly rule: (rule: string, version: string) => string
  readonly electronic: string
  readonly page: (page: number, pages: number) => string
}

const METHODS = ['balance', 'stripe', 'barion', 'paypal', 'phone', 'sandbox'] as const
const methods = (...names: string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(METHODS.map((method, index) => [method, names[index] ?? method]))

const ENGLISH: InvoiceWords = {
  titles: {
    electronic: 'Invoice',
    receipt: 'Receipt',
    storno: 'Cancellation invoice',
    correction: 'Correcting invoice',
  },
  number: 'Number',
  seller: 'Seller',
  customer: 'Customer',
  taxNumber: 'Tax number',
  euTaxNumber: 'EU VAT number',
  registryNumber: 'Registry number',
  bankAccount: 'Bank account',
  issued: 'Date of issue',
  performed: 'Date of supply',
  payment: 'Payment method',
  methods: methods('prepaid balance', 'card', 'Barion', 'PayPal', 'phone', 'test (no real money)'),
  what: 'Description',
  quantity: 'Quantity',
  net: 'Net',
  vat: 'VAT',
  gross: 'Gross',
  total: 'Total',
  paid: 'Paid. Nothing is left to pay.',
  refunded: 'The amount was refunded. Nothing is left to pay.',
  takesBack: (number) => `Cancels document ${number}.`,
  takenBackBy: (number) => `Cancelled by document ${number}.`,
  corrects: (number) => `Corrects document ${number}, reducing it by the amount above.`,
  correctedBy: (numbers) => `Corrected by: ${numbers}.`,
  reason: 'Reason',
  reverseCharge: 'Reverse charge: the customer accounts for the VAT.',
  outsideEu: 'Outside the scope of VAT: place of supply outside the European Union.',
  rule: (rule, version) => `Tax rule ${rule}, version ${version}.`,
  electronic: 'Issued electronically, valid without signature.',
  page: (page, pages) => `Page ${page} of ${pages}`,
}

const HUNGARIAN: InvoiceWords = {
  titles: { electronic: 'Számla', receipt: 'Nyugta', storno: 'Sztornó számla', correction: 'Helyesbítő számla' },
  number: 'Sorszám',
  seller: 'Eladó',
  customer: 'Vevő',
  taxNumber: 'Adószám',
  euTaxNumber: 'Közösségi adószám',
  registryNumber: 'Cégjegyzékszám',
  bankAccount: 'Bankszámlaszám',
  issued: 'Kelt',
  performed: 'Teljesítés',
  payment: 'Fizetési mód',
  methods: methods('előre feltöltött egyenleg', 'bankkártya', 'Barion', 'PayPal', 'telefon', 'próba (nem valódi pénz)'),
  what: 'Megnevezés',
  quantity: 'Mennyiség',
  net: 'Nettó',
  vat: 'Áfa',
  gross: 'Bruttó',
  total: 'Összesen',
  paid: 'Kifizetve. Nincs további fizetnivaló.',
  refunded: 'Az összeget visszatérítettük. Nincs további fizetnivaló.',
  takesBack: (number) => `A(z) ${number} számú bizonylat érvénytelenítése.`,
  takenBackBy: (number) => `Érvénytelenítette a(z) ${number} számú bizonylat.`,
  corrects: (number) => `A(z) ${number} számú bizonylat helyesbítése: a fenti összeggel csökken.`,
  correctedBy: (numbers) => `Helyesbítette: ${numbers}.`,
  reason: 'Indok',
  reverseCharge: 'Fordított adózás: az áfát a vevő fizeti meg.',
  outsideEu: 'Az áfa területi hatályán kívül: a teljesítés helye az Európai Unión kívül van.',
  rule: (rule, version) => `Adózási szabály: ${rule}, változat: ${version}.`,
  electronic: 'Elektronikusan kiállítva, aláírás nélkül érvényes.',
  page: (page, pages) => `${page}/${pages}. oldal`,
}

const GERMAN: InvoiceWords = {
  titles: { electronic: 'Rechnung', receipt: 'Quittung', storno: 'Stornorechnung', correction: 'Korrekturrechnung' },
  number: 'Nummer',
  seller: 'Verkäufer',
  customer: 'Kunde',
  taxNumber: 'Steuernummer',
  euTaxNumber: 'USt-IdNr.',
  registryNumber: 'Registernummer',
  bankAccount: 'Bankverbindung',
  issued: 'Ausgestellt am',
  performed: 'Leistungsdatum',
  payment: 'Zahlungsart',
  methods: methods('vorausbezahltes Guthaben', 'Karte', 'Barion', 'PayPal', 'Telefon', 'Test (kein echtes Geld)'),
  what: 'Bezeichnung',
  quantity: 'Menge',
  net: 'Netto',
  vat: 'MwSt.',
  gross: 'Brutto',
  total: 'Gesamt',
  paid: 'Bezahlt. Es ist nichts mehr zu zahlen.',
  refunded: 'Der Betrag wurde erstattet. Es ist nichts mehr zu zahlen.',
  takesBack: (number) => `Storniert Beleg ${number}.`,
  takenBackBy: (number) => `Storniert durch Beleg ${number}.`,
  corrects: (number) => `Berichtigt Beleg ${number}: Er verringert sich um den obigen Betrag.`,
  correctedBy: (numbers) => `Berichtigt durch: ${numbers}.`,
  reason: 'Grund',
  reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
  outsideEu: 'Nicht steuerbar: Leistungsort außerhalb der Europäischen Union.',
  rule: (rule, version) => `Steuerregel ${rule}, Version ${version}.`,
  electronic: 'Elektronisch ausgestellt, ohne Unterschrift gültig.',
  page: (page, pages) => `Seite ${page} von ${pages}`,
}

export const INVOICE_WORDS: Readonly<Record<Locale, InvoiceWords>> = { en: ENGLISH, hu: HUNGARIAN, de: GERMAN }
