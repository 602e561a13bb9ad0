import { contactFault, CONTACT_LIMITS, tidyText } from '../users/contact.ts'
import { countryCode } from './country.ts'
import { splitOfReturn } from './given-back.ts'
import { add, isLess, negate, subtract, sum, type CurrencyCode, type Money } from './money.ts'
import type { TaxRule } from './tax-rule.ts'
import { splitVatOfLines, type VatSplit } from './vat.ts'

/** Electronic invoice or receipt: what the customer chose (specification section 3). */
export const INVOICE_FORMS = ['electronic', 'receipt'] as const
export type InvoiceForm = (typeof INVOICE_FORMS)[number]

/** An invoice, and its storno or correction. */
export const INVOICE_KINDS = ['invoice', 'storno', 'correction'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

/**
 * `issued` and not yet paid, `paid`, cancelled by a `storno`, or partly cancelled by corrections (clarifications, part
 * 4).
 */
export const INVOICE_STATES = ['issued', 'paid', 'storno', 'corrected'] as const
export type InvoiceState = (typeof INVOICE_STATES)[number]

const MOVES: Readonly<Record<InvoiceState, readonly InvoiceState[]>> = Object.freeze({
  issued: ['paid', 'storno', 'corrected'],
  paid: ['storno', 'corrected'],
  storno: [],
  corrected: ['corrected'],
})

/**
 * Whether a document may change from one state to another. A cancelled one never changes again; a corrected one may be
 * corrected further.
 */
export const mayBecome = (from: InvoiceState, to: InvoiceState): boolean => MOVES[from].includes(to)

/**
 * The customer as named on the document, copied at the time of issue: later changes of the profile do not affect it.
 */
export type InvoiceCustomer = {
  readonly name: string
  readonly company?: string | undefined
  /** The tax number as the customer wrote it; the verified VAT number of a reverse charge is in `tax`. */
  readonly taxNumber?: string | undefined
  readonly country: string
  readonly postalCode: string
  readonly city: string
  readonly streetAndHouseNumber: string
  readonly email: string
}

/** The same words in each language of a reader. */
type Translated = Readonly<Record<InvoiceInput['language'], string>>

export type InvoiceLineInput = {
  /** In the language of the document. */
  readonly description: string
  /** For lists, which are in their reader's language; missing on documents of releases that did not keep it. */
  readonly texts?: Translated | undefined
  readonly quantity: number
  /** The amount of the whole line, tax included; negative for a discount. */
  readonly gross: Money
  readonly period?: { readonly startMs: number; readonly endMs: number } | undefined
}
export type InvoiceLine = InvoiceLineInput & Pick<VatSplit, 'net' | 'vat'>

export type InvoiceInput = {
  readonly form: InvoiceForm
  readonly customer: InvoiceCustomer
  readonly lines: readonly InvoiceLineInput[]
  readonly currency: CurrencyCode
  readonly tax: TaxRule
  readonly language: 'en' | 'hu' | 'de'
  readonly issuedAtMs: number
  /** The tax point: the day of the payment or of the service, by the setting (`tax-point.ts`). */
  readonly performedAtMs: number
  /** The subject: the id of the payment, order, renewal. One document for each. */
  readonly cause: { readonly type: string; readonly id: string }
}

/**
 * A document without its number, which only the transaction that stores it can assign. Only its `state` ever changes.
 */
export type Invoice = Omit<InvoiceInput, 'lines'> & {
  readonly kind: InvoiceKind
  readonly state: InvoiceState
  readonly lines: readonly InvoiceLine[]
  readonly total: VatSplit
  /** The number of the document that this one cancels. */
  readonly stornoOf?: string
  /** The number of the storno of this document. */
  readonly stornoBy?: string
  /** The number of the document that this one partly cancels. */
  readonly correctionOf?: string
  readonly reason?: string
}

export const INVOICE_REFUSALS = [
  'NO_LINES',
  'TOO_MANY_LINES',
  'LINE_INVALID',
  'CURRENCY_MIXED',
  'TOTAL_NEGATIVE',
  'NAME_MISSING',
  'ADDRESS_MISSING',
  'CUSTOMER_INVALID',
  'COUNTRY_UNKNOWN',
] as const
export type InvoiceRefusal = { readonly ok: false; readonly code: (typeof INVOICE_REFUSALS)[number] }
export type InvoiceDraft = { readonly ok: true; readonly invoice: Invoice } | InvoiceRefusal

const MAX_LINES = 100
const MAX_DESCRIPTION = 200
const MAX_NAME = CONTACT_LIMITS.firstName + CONTACT_LIMITS.lastName + 1
const MAX_QUANTITY = 1_000_000

/**
 * Drafts the document of a purchase; `state` says whether it is paid. The lines' tax is split by `splitVatOfLines`, so
 * that lines add up to the total. An electronic invoice needs name and address, a receipt neither. Refuses with the
 * first reason that applies.
 */
export function draftInvoice(input: InvoiceInput, state: 'issued' | 'paid' = 'paid'): InvoiceDraft {
  const customer = tidyCustomer(input.customer)
  const code = customerFault(customer, input.form) ?? linesFault(input)
  if (code !== undefined) return { ok: false, code }
  const { rateBasisPoints } = input.tax
  const split = splitVatOfLines(
    input.lines.map(({ gross }) => gross),
    { rateBasisPoints, currency: input.currency },
  )
  if (split.total.gross.minor < 0n) return { ok: false, code: 'TOTAL_NEGATIVE' }
  const lines = input.lines.map((line, index) => {
    const part = split.lines[index]
    if (!part) throw new RangeError('every line has a split')
    return { ...line, description: tidyText(line.description), net: part.net, vat: part.vat }
  })
  return { ok: true, invoice: { ...input, customer, kind: 'invoice', state, lines, total: split.total } }
}

function tidyCustomer(customer: InvoiceCustomer): InvoiceCustomer {
  const tidied = Object.entries(customer).map(([key, value]) => [key, value === undefined ? value : tidyText(value)])
  const { country } = customer
  return { ...customer, ...Object.fromEntries(tidied), country: countryCode(country) ?? country }
}

function customerFault(customer: InvoiceCustomer, form: InvoiceForm): InvoiceRefusal['code'] | undefined {
  const { name, company = '', taxNumber = '', postalCode, city, streetAndHouseNumber } = customer
  if (countryCode(customer.country) === undefined) return 'COUNTRY_UNKNOWN'
  if (form === 'electronic' && name === '' && company === '') return 'NAME_MISSING'
  if (form === 'electronic' && [postalCode, city, streetAndHouseNumber].includes('')) return 'ADDRESS_MISSING'
  const isInvalid =
    [name, company].some((text) => text.length > MAX_NAME || !isPrintable(text)) ||
    taxNumber.length > 40 ||
    !isPrintable(taxNumber) ||
    contactFault('postalCode', postalCode) !== null ||
    contactFault('city', city) !== null ||
    contactFault('streetAndHouseNumber', streetAndHouseNumber) !== null
  return isInvalid ? 'CUSTOMER_INVALID' : undefined
}

function linesFault({ lines, currency }: InvoiceInput): InvoiceRefusal['code'] | undefined {
  if (lines.length === 0) return 'NO_LINES'
  if (lines.length > MAX_LINES) return 'TOO_MANY_LINES'
  if (lines.some(({ gross }) => gross.currency !== currency)) return 'CURRENCY_MIXED'
  return lines.every(isLine) ? undefined : 'LINE_INVALID'
}

function isLine({ description, quantity, period }: InvoiceLineInput): boolean {
  const text = tidyText(description)
  const isText = text !== '' && text.length <= MAX_DESCRIPTION && isPrintable(text)
  const isQuantity = Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_QUANTITY
  return isText && isQuantity && (period === undefined || period.startMs <= period.endMs)
}

// Text that reorders or hides its neighbours is not allowed on a document; the rule is that of the contact data.
const isPrintable = (text: string): boolean => contactFault('city', text.slice(0, CONTACT_LIMITS.city)) !== 'invalid'

export type Storno = {
  readonly number: string
  readonly stornoNumber: string
  readonly issuedAtMs: number
  readonly reason: string
}

export type StornoDecision =
  | { readonly ok: true; readonly original: Invoice; readonly storno: Invoice }
  | { readonly ok: false; readonly code: 'ALREADY_TAKEN_BACK' | 'IS_STORNO' | 'REASON_MISSING' }

/**
 * Cancels a document by a second one with the same lines negated, letter by letter and forint by forint: nothing is
 * recalculated, so the two add up to nothing. They refer to each other. A document is cancelled once; a storno never
 * is.
 */
export function stornoInvoice(invoice: Invoice, storno: Storno): StornoDecision {
  const reason = tidyText(storno.reason)
  if (invoice.kind !== 'invoice') return { ok: false, code: 'IS_STORNO' }
  if (!mayBecome(invoice.state, 'storno')) return { ok: false, code: 'ALREADY_TAKEN_BACK' }
  if (reason === '') return { ok: false, code: 'REASON_MISSING' }
  const lines = invoice.lines.map((line) => ({ ...line, ...negated(line) }))
  const copy: Invoice = {
    ...invoice,
    kind: 'storno',
    issuedAtMs: storno.issuedAtMs,
    lines,
    total: negated(invoice.total),
    stornoOf: storno.number,
    reason,
  }
  return { ok: true, original: { ...invoice, state: 'storno', stornoBy: storno.stornoNumber }, storno: copy }
}

const negated = ({ gross, net, vat }: VatSplit): VatSplit => ({
  gross: negate(gross),
  net: negate(net),
  vat: negate(vat),
})

export type Correction = {
  readonly number: string
  readonly issuedAtMs: number
  readonly reason: string
  /** The returned amount, with tax. */
  readonly back: Money
  /** The part of the invoice's total that no correction has cancelled yet. */
  readonly stands: Pick<VatSplit, 'net' | 'vat'>
}

export type CorrectionDecision =
  | { readonly ok: true; readonly correction: Invoice }
  | { readonly ok: false; readonly code: 'ALREADY_TAKEN_BACK' | 'IS_STORNO' | 'REASON_MISSING' | 'AMOUNT_INVALID' }

/**
 * Cancels a part of an invoice by a document with one negative line, by the invoice's own rule; the invoice stays. The
 * tax of all corrections adds up to that of the invoice (`given-back.ts`), so nothing is left when the whole price is
 * returned.
 */
export function correctInvoice(invoice: Invoice, correction: Correction): CorrectionDecision {
  const reason = tidyText(correction.reason)
  const { back, stands } = correction
  if (invoice.kind !== 'invoice') return { ok: false, code: 'IS_STORNO' }
  if (!mayBecome(invoice.state, 'corrected')) return { ok: false, code: 'ALREADY_TAKEN_BACK' }
  if (reason === '') return { ok: false, code: 'REASON_MISSING' }
  const left = add(stands.net, stands.vat)
  if (back.minor < 1n || isLess(left, back)) return { ok: false, code: 'AMOUNT_INVALID' }
  const split = negated(splitOfReturn(left, back, invoice.tax.rateBasisPoints))
  return {
    ok: true,
    correction: {
      ...invoice,
      kind: 'correction',
      lines: [{ ...joined(invoice.lines), quantity: 1, ...split }],
      total: split,
      issuedAtMs: correction.issuedAtMs,
      performedAtMs: correction.issuedAtMs,
      correctionOf: correction.number,
      reason,
    },
  }
}

/** The words of several lines in one. */
function joined(lines: readonly InvoiceLine[]): Pick<InvoiceLine, 'description' | 'texts'> {
  const inOne = (words: readonly string[]): string => words.join(', ').slice(0, MAX_DESCRIPTION)
  const description = inOne(lines.map((line) => line.description))
  const texts = lines.flatMap((line) => line.texts ?? [])
  if (texts.length < lines.length) return { description }
  const of = (language: keyof Translated): string => inOne(texts.map((words) => words[language]))
  return { description, texts: { en: of('en'), hu: of('hu'), de: of('de') } }
}

/** Whether a document adds up: each line and the total have net + vat = gross, and the lines make the total. */
export function addsUp({ lines, total, currency }: Invoice): boolean {
  const isSplit = ({ gross, net, vat }: VatSplit): boolean => subtract(gross, net).minor === vat.minor
  const whole = (part: 'gross' | 'net' | 'vat'): bigint =>
    sum(
      lines.map((line) => line[part]),
      currency,
    ).minor
  const parts = ['gross', 'net', 'vat'] as const
  return [...lines, total].every(isSplit) && parts.every((part) => whole(part) === total[part].minor)
}
