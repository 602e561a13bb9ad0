import * as z from 'zod'
import { TaxPoint } from '#contracts/invoicing.ts'
import { Locale, LocalizedText } from '#contracts/locale.ts'
import { INVOICE_FORMS, INVOICE_KINDS, type Invoice, type InvoiceState } from '#domain/billing/invoice.ts'
import { forints } from '#domain/billing/money.ts'
import { TAX_KINDS } from '#domain/billing/tax-rule.ts'

/** The seller as printed on the document. A text that does not apply is empty. */
export const Seller = z.object({
  name: z.string(),
  postalCode: z.string(),
  city: z.string(),
  street: z.string(),
  country: z.string(),
  taxNumber: z.string(),
  euTaxNumber: z.string(),
  registryNumber: z.string(),
  bankAccount: z.string(),
  email: z.string(),
})
export type Seller = z.infer<typeof Seller>

/** The recipient of a document, as of its issue. An unknown text is empty. */
export const Customer = z.object({
  name: z.string(),
  company: z.string(),
  taxNumber: z.string(),
  country: z.string(),
  postalCode: z.string(),
  city: z.string(),
  streetAndHouseNumber: z.string(),
  email: z.string(),
})
export type Customer = z.infer<typeof Customer>

/** A line of a document. Amounts are whole forints; those of a storno are negative. */
const Line = z.object({
  /** In the language of the document. */
  description: z.string().min(1),
  /** In each language, for lists; documents of earlier releases lack it. */
  texts: LocalizedText.optional(),
  quantity: z.int().positive(),
  netFt: z.int(),
  vatFt: z.int(),
  grossFt: z.int(),
})

/** A related document. */
const Related = z.object({ id: z.string(), number: z.string() })

/** An issued document with all of its content. */
export const InvoiceDocument = z.object({
  id: z.string(),
  userId: z.string(),
  kind: z.enum(INVOICE_KINDS),
  form: z.enum(INVOICE_FORMS),
  number: z.string(),
  documentKind: z.string(),
  documentId: z.string(),
  taxPoint: TaxPoint,
  language: Locale,
  paymentMethod: z.string(),
  seller: Seller,
  customer: Customer,
  lines: z.array(Line).min(1),
  taxKind: z.enum(TAX_KINDS),
  taxRule: z.string(),
  taxRuleVersion: z.string(),
  taxCountry: z.string(),
  /** The verified VAT number of a business under reverse charge. */
  vatNumber: z.string().nullable(),
  rateBasisPoints: z.int(),
  netFt: z.int(),
  vatFt: z.int(),
  grossFt: z.int(),
  /** ISO date. */
  performedOn: z.string(),
  issuedAt: z.date(),
  /** The invoice that this storno cancels, and the storno of this invoice. */
  stornoOf: Related.nullable(),
  stornoBy: Related.nullable(),
  /** The invoice that this document corrects, and the corrections of this invoice, oldest first. */
  correctionOf: Related.nullable(),
  correctedBy: z.array(Related),
  reason: z.string().nullable(),
})
export type InvoiceDocument = z.infer<typeof InvoiceDocument>

/** The words of all lines for a list, in its reader's language; those of the document if they were not kept. */
export const wordsOf = ({ lines }: Pick<InvoiceDocument, 'lines'>, locale: Locale): string =>
  lines.map(({ description, texts }) => texts?.[locale] ?? description).join(', ')

const related = (which: string): string =>
  `(select jsonb_build_object('id', o.id, 'number', o.number) from control.invoices o where ${which})`

/** The columns of `control.invoices i` under the document's field names; `invoiceOf` parses such a row. */
export const INVOICE_COLUMNS = `i.id, i.user_id as "userId", i.kind, i.form, i.number, i.document_kind as "documentKind",
  i.document_id as "documentId", i.tax_point as "taxPoint", i.language, i.payment_method as "paymentMethod", i.seller,
  i.customer, i.lines, i.tax_kind as "taxKind", i.tax_rule as "taxRule", i.tax_rule_version as "taxRuleVersion",
  i.tax_country as "taxCountry", i.vat_number as "vatNumber", i.rate_basis_points as "rateBasisPoints", i.net_ft as "netFt", i.vat_ft as "vatFt", i.gross_ft as "grossFt",
  to_char(i.performed_on, 'YYYY-MM-DD') as "performedOn", i.issued_at as "issuedAt", i.reason,
  ${related('o.id = i.storno_of')} as "stornoOf", ${related('o.storno_of = i.id')} as "stornoBy",
  ${related('o.id = i.correction_of')} as "correctionOf", 
  (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.id), '[]')
     from control.invoices o where o.correction_of = i.id) as "correctedBy"`

type InvoiceRow = Record<string, unknown> & { netFt: bigint; vatFt: bigint; grossFt: bigint }

/** Parses a row of `INVOICE_COLUMNS`. */
export const invoiceOf = (row: InvoiceRow): InvoiceDocument =>
  InvoiceDocument.parse({
    ...row,
    netFt: Number(row.netFt),
    vatFt: Number(row.vatFt),
    grossFt: Number(row.grossFt),
  })

/**
 * Everything is paid before it is invoiced; later documents change the state. A storno or correction itself counts as
 * paid, because nothing is left to pay.
 */
export const stateOf = ({ stornoBy, correctedBy }: Pick<InvoiceDocument, 'stornoBy' | 'correctedBy'>): InvoiceState =>
  stornoBy ? 'storno' : correctedBy.length > 0 ? 'corrected' : 'paid'

const split = (amounts: { netFt: number; vatFt: number; grossFt: number }) => ({
  net: forints(BigInt(amounts.netFt)),
  vat: forints(BigInt(amounts.vatFt)),
  gross: forints(BigInt(amounts.grossFt)),
})

/** The document as input of the domain's rules. */
export const domainInvoiceOf = (document: InvoiceDocument): Invoice => ({
  kind: document.kind,
  state: stateOf(document),
  form: document.form,
  customer: document.customer,
  lines: document.lines.map((line) => ({
    description: line.description,
    texts: line.texts,
    quantity: line.quantity,
    ...split(line),
  })),
  total: split(document),
  currency: 'HUF',
  tax: {
    kind: document.taxKind,
    ruleId: document.taxRule,
    version: document.taxRuleVersion,
    country: document.taxCountry,
    rateBasisPoints: BigInt(document.rateBasisPoints),
    ...(document.vatNumber === null ? {} : { vatNumber: document.vatNumber }),
  },
  language: document.language,
  issuedAtMs: document.issuedAt.getTime(),
  performedAtMs: Date.parse(document.performedOn),
  cause: { type: document.documentKind, id: document.documentId },
})
