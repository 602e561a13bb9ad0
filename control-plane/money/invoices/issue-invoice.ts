import * as z from 'zod'
import type { InvoicingRow } from '#contracts/cms-api/rows.ts'
import { TaxPoint } from '#contracts/invoicing.ts'
import { Locale, LocalizedText } from '#contracts/locale.ts'
import { draftInvoice, type Invoice, type InvoiceInput } from '#domain/billing/invoice.ts'
import { forints } from '#domain/billing/money.ts'
import { DOCUMENT_CAUSES, needsInvoice } from '#domain/billing/tax-point.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { assert } from '#domain/kernel/assert.ts'
import { SaleTax, taxOfCustomer, taxOfRow } from '../tax/tax-of-sale.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readInvoiceContact, readInvoicing, readPerson } from '../../cms/cms-reader.ts'
import type { Seller } from './invoice-document.ts'
import { customerOf, NOBODY, sellerOf } from './parties.ts'
import { writeInvoice } from './write-invoice.ts'

/** The maximum length of a document's line (domain, invoice). */
const MAX_LINE_LENGTH = 200

type Issuing = Pick<Context, 'ids' | 'clock' | 'log' | 'faults'>

/** Fault points in the order in which they are passed. */
export const INVOICE_FAULTS = ['invoice.begin', 'invoice.written'] as const

/**
 * A request for an invoice. `document` is the payment or purchase: its kind says whether money came in or something was
 * sold, and each gets one invoice. Amounts are whole forints with tax; a discount is a negative line.
 */
export const InvoiceRequest = z.object({
  userId: z.uuid(),
  document: z.object({ kind: z.enum(DOCUMENT_CAUSES), id: z.string().min(1) }),
  paymentMethod: z.string().min(1),
  /** For a person without a chosen language. */
  locale: Locale,
  lines: z.array(z.object({ text: LocalizedText, quantity: z.int().positive(), grossFt: z.int() })).min(1),
  /** Epoch milliseconds. */
  performedAtMs: z.int(),
  /** Missing in requests queued by the previous release: decided at the issue. */
  tax: SaleTax.optional(),
  /** The tax point of the invoice that this one replaces; else that of the settings. */
  taxPoint: TaxPoint.optional(),
  requestId: z.string(),
})
export type InvoiceRequest = z.infer<typeof InvoiceRequest>

export type IssuedInvoice = { readonly ok: true; readonly id: string; readonly number: string }
export type NotIssued = {
  readonly ok: false
  /**
   * `NOT_NEEDED`: under the configured tax point no invoice is due for this, or it cost nothing. `SELLER_MISSING`:
   * staff have not entered the seller; the request waits in its own table until they do.
   */
  readonly code: 'NOT_NEEDED' | 'SELLER_MISSING'
}

/** Takes the number and writes the document. */
export type ReadyInvoice = () => Promise<IssuedInvoice | NotIssued>

/**
 * Issues the invoice of a document inside the caller's transaction, once: a repetition returns the existing invoice.
 * The number series stays locked until the transaction ends, so call it after every other lock. A missing seller never
 * blocks money: the invoice waits instead.
 */
export const issueInvoice = async (
  tx: Sql,
  context: Issuing,
  request: InvoiceRequest,
): Promise<IssuedInvoice | NotIssued> => (await prepareInvoice(tx, context, request))()

/**
 * The first half of `issueInvoice`, which blocks no other sale: everything but the number. A sale calls it before it
 * captures its money, and calls the returned function last in the transaction.
 */
export async function prepareInvoice(tx: Sql, context: Issuing, request: InvoiceRequest): Promise<ReadyInvoice> {
  const { kind, id } = request.document
  const [, [before], settings] = await Promise.all([
    tx.query('select pg_advisory_xact_lock(hashtextextended($1, 70))', [`invoice ${kind} ${id}`]),
    tx.query<{ id: string; number: string }>(
      `select id, number from control.invoices where kind = 'invoice' and document_kind = $1 and document_id = $2`,
      [kind, id],
    ),
    readInvoicing(tx),
  ])
  if (before) return () => Promise.resolve({ ok: true, ...before })
  const grossFt = request.lines.reduce((total, line) => total + BigInt(line.grossFt), 0n)
  if (!needsInvoice({ cause: kind, taxPoint: request.taxPoint ?? settings.tax_point, grossFt }))
    return () => Promise.resolve({ ok: false, code: 'NOT_NEEDED' })
  const seller = sellerOf(settings)
  if (!seller) {
    await letWait(tx, context, request)
    return () => Promise.resolve({ ok: false, code: 'SELLER_MISSING' })
  }
  const [person, contact] = await Promise.all([readPerson(tx, request.userId), readInvoiceContact(tx, request.userId)])
  const language = person?.language ?? request.locale
  const customer = customerOf(contact, person, language)
  const invoice = draftOf({
    customer,
    language,
    form: contact?.invoice_type ?? 'receipt',
    currency: 'HUF',
    lines: request.lines.map(({ text, quantity, grossFt: gross }) => {
      const texts = { en: printable(text.en), hu: printable(text.hu), de: printable(text.de) }
      return { description: texts[language], texts, quantity, gross: forints(BigInt(gross)) }
    }),
    tax: await taxOf(tx, request),
    issuedAtMs: context.clock.now(),
    performedAtMs: request.performedAtMs,
    cause: { type: kind, id },
  })
  return () => issue(tx, context, { request, settings, seller, invoice })
}

type Drafted = { request: InvoiceRequest; settings: InvoicingRow; seller: Seller; invoice: Invoice }

async function issue(
  tx: Sql,
  context: Issuing,
  { request, settings, seller, invoice }: Drafted,
): Promise<IssuedInvoice> {
  await context.faults('invoice.begin')
  const issued = await writeInvoice(tx, context, {
    invoice,
    seller,
    userId: request.userId,
    series: invoice.form === 'electronic' ? settings.invoice_prefix : settings.receipt_prefix,
    taxPoint: request.taxPoint ?? settings.tax_point,
    paymentMethod: request.paymentMethod,
    stornoOf: null,
    requestId: request.requestId,
    isHandedOver: settings.szamlazz_enabled,
  })
  await context.faults('invoice.written')
  context.log.info({ requestId: request.requestId, invoiceId: issued.id, number: issued.number }, 'invoice issued')
  return { ok: true, ...issued }
}

/** A catalog name may contain unprintable characters; the sale must not fail because of them. */
const printable = (text: string): string =>
  text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE_LENGTH) || '-'

/**
 * The document itself. A customer who wants an invoice without giving name and address gets a receipt, which needs
 * neither; unprintable content is dropped.
 */
function draftOf(input: InvoiceInput): Invoice {
  const tries = [
    input,
    { ...input, form: 'receipt' as const },
    { ...input, form: 'receipt' as const, customer: NOBODY },
  ]
  const drafts = tries.map((each) => draftInvoice(each))
  const made = drafts.find((draft) => draft.ok)
  assert(made?.ok, `An invoice of what was sold can be written: ${drafts.map((d) => (d.ok ? '' : d.code)).join(' ')}`)
  return made.invoice
}

async function taxOf(tx: Sql, { tax, userId, performedAtMs: atMs }: InvoiceRequest): Promise<TaxRule> {
  return tax === undefined ? taxOfCustomer(tx, { userId, atMs }) : taxOfRow(tax)
}

async function letWait(tx: Sql, { clock, log }: Issuing, request: InvoiceRequest): Promise<void> {
  const { document, userId, requestId } = request
  await tx.query(
    `insert into control.invoices_waiting (document_kind, document_id, user_id, request, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [document.kind, document.id, userId, JSON.stringify(request), new Date(clock.now())],
  )
  log.error({ requestId, document }, 'no invoice was issued: name, address or tax number of the seller is missing')
}
