import type { TaxPoint } from '#contracts/invoicing.ts'
import type { Invoice } from '#domain/billing/invoice.ts'
import { formatInvoiceNumber, invoiceYear, numberShape } from '#domain/billing/invoice-number.ts'
import type { VatSplit } from '#domain/billing/vat.ts'
import { assert } from '#domain/kernel/assert.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { letHandOver } from './hand-over.ts'
import type { Seller } from './invoice-document.ts'

export type NewInvoice = {
  readonly invoice: Invoice
  readonly series: string
  readonly userId: string
  readonly taxPoint: TaxPoint
  readonly paymentMethod: string
  readonly seller: Seller
  /** The id of the cancelled document. */
  readonly stornoOf: string | null
  /** The id of the corrected document. */
  readonly correctionOf?: string | undefined
  /** The cause of the return. */
  readonly cause?: string | undefined
  readonly requestId: string
  /** Whether an external provider receives it too. */
  readonly isHandedOver: boolean
}

const DAY = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Budapest',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The date (ISO) at a given time in the seller's time zone. */
export const dayOf = (atMs: number): string => DAY.format(new Date(atMs))

/**
 * Takes the next number of the series and writes the document with it in one statement: both are committed together, or
 * neither is. All other invoices of the series wait until the transaction ends. Mail and hand-over follow the commit.
 */
export async function writeInvoice(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  document: NewInvoice,
): Promise<{ id: string; number: string }> {
  const nowMs = context.clock.now()
  const { series, requestId } = document
  const year = invoiceYear(nowMs)
  const id = context.ids.next()
  const [[written]] = await Promise.all([
    insertInvoice(tx, document, { id, year, nowMs }),
    enqueue(tx, context, { topic: 'invoice-mail', payload: { invoiceId: id }, requestId }),
  ])
  if (!written) throw new Error(`series ${series} has no next number`)
  const number = formatInvoiceNumber({ series, year, sequence: Number(written.sequence) })
  assert(written.number === number, `The database writes numbers as the product does: ${written.number}, ${number}.`)
  // The provider's documents need a recipient, so receipts are not sent.
  const isHandedOver = document.isHandedOver && document.invoice.form === 'electronic'
  if (isHandedOver) await letHandOver(tx, context, { invoiceId: id, requestId })
  return { id, number }
}

const amountsOf = ({ net, vat, gross }: VatSplit) => ({
  netFt: Number(net.minor),
  vatFt: Number(vat.minor),
  grossFt: Number(gross.minor),
})

type Place = { readonly id: string; readonly year: number; readonly nowMs: number }

function insertInvoice(
  tx: Sql,
  document: NewInvoice,
  { id, year, nowMs }: Place,
): Promise<{ sequence: bigint; number: string }[]> {
  const { invoice, seller, series } = document
  const { tax, customer, total, cause } = invoice
  const { prefix, digits } = numberShape({ series, year })
  const lines = invoice.lines.map((line) => ({
    description: line.description,
    texts: line.texts,
    quantity: line.quantity,
    ...amountsOf(line),
  }))
  return tx.query(
    `insert into control.invoices (id, user_id, kind, form, series, year, sequence, number, issued_at, document_kind, document_id,
       tax_point, language, payment_method, seller, customer, lines, tax_kind, tax_rule, tax_rule_version, tax_country,
       vat_number, rate_basis_points, net_ft, vat_ft, gross_ft, performed_on, storno_of, reason, request_id, correction_of, correction_cause)
     select $1, $2, $3, $4, $5::text, $6::integer, next.sequence, $7::text || lpad(next.sequence::text, $8::integer, '0'), next.issued_at,
       $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32
     from control.invoice_next_number($5::text, $6::integer, $9::timestamptz) next
     returning sequence, number`,
    [
      id,
      document.userId,
      invoice.kind,
      invoice.form,
      series,
      year,
      prefix,
      digits,
      new Date(nowMs),
      cause.type,
      cause.id,
      document.taxPoint,
      invoice.language,
      document.paymentMethod,
      ...[seller, customer, lines].map((part) => JSON.stringify(part)),
      tax.kind,
      tax.ruleId,
      tax.version,
      tax.country,
      tax.vatNumber ?? null,
      tax.rateBasisPoints.toString(),
      ...[total.net, total.vat, total.gross].map(({ minor }) => minor.toString()),
      dayOf(invoice.performedAtMs),
      document.stornoOf,
      invoice.reason ?? null,
      document.requestId,
      document.correctionOf ?? null,
      document.cause ?? null,
    ],
  )
}
