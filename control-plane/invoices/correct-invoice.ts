import type { LocalizedText } from '#contracts/locale.ts'
import { correctInvoice as corrected } from '#domain/billing/invoice.ts'
import { forints } from '#domain/billing/money.ts'
import type { DocumentCause } from '#domain/billing/tax-point.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Context } from '../platform/context.ts'
import type { Sql } from '../platform/postgres.ts'
import { readInvoicing } from '../store/cms-reader.ts'
import { domainInvoiceOf, INVOICE_COLUMNS, invoiceOf, type InvoiceDocument } from './invoice-document.ts'
import { stornoInvoice } from './storno-invoice.ts'
import { writeInvoice } from './write-invoice.ts'

export type Corrected = { readonly id: string; readonly number: string }

export type Correction = {
  /** What was sold; its invoice is corrected. */
  readonly document: { readonly kind: DocumentCause; readonly id: string }
  /** Why, by the name of what gives back: there is one document for each. */
  readonly cause: string
  /** What is given back, with tax. */
  readonly grossFt: bigint
  readonly reason: LocalizedText
  readonly requestId: string
}

/** A top-up that a bank took back and gave again has a second invoice, because the first one was taken back for good. */
export const reissuedId = (documentId: string, causeId: string): string => `${documentId}:again:${causeId}`

/**
 * Corrects the invoice of a document inside the caller's transaction, by a document of the same series with what is given back as a
 * negative line; where that is all of an invoice that nothing corrected before, by a storno. Undefined where nothing was issued. What
 * still waits to be issued is forgotten if all of it is given back. As with `issueInvoice`, call it after every other lock.
 */
export async function correctInvoice(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  correction: Correction,
): Promise<Corrected | undefined> {
  const { document, cause, grossFt, requestId } = correction
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 70))', [`invoice ${document.kind} ${document.id}`])
  const before = await documentOfCause(tx, document, cause)
  if (before) return before
  const found = await findInvoice(tx, document)
  if (!found) return forgetWaiting(tx, document, grossFt)
  const { invoice } = found
  // All of it is back already: there is nothing left to say.
  if (invoice.stornoBy) return invoice.stornoBy
  const reason = correction.reason[invoice.language]
  if (invoice.correctedBy.length === 0 && grossFt === BigInt(invoice.grossFt)) {
    const whole = { kind: invoice.documentKind, id: invoice.documentId }
    return stornoInvoice(tx, context, { document: whole, reason, cause, requestId })
  }
  return writeCorrection(tx, context, { ...found, correction, reason })
}

const ofDocument = `i.document_kind = $1 and i.document_id in ($2, $2 || ':won')`

async function documentOfCause(
  tx: Sql,
  document: Correction['document'],
  cause: string,
): Promise<Corrected | undefined> {
  const [row] = await tx.query<{ id: string; number: string }>(
    `select id, number from control.invoices i where ${ofDocument} and i.kind <> 'invoice' and i.correction_cause = $3`,
    [document.kind, document.id, cause],
  )
  return row
}

type Found = {
  readonly invoice: InvoiceDocument
  readonly series: string
  readonly stands: { net: bigint; vat: bigint }
}

async function findInvoice(tx: Sql, document: Correction['document']): Promise<Found | undefined> {
  const [row] = await tx.query<Parameters<typeof invoiceOf>[0] & { series: string; net: bigint; vat: bigint }>(
    `select ${INVOICE_COLUMNS}, i.series,
       i.net_ft + (select coalesce(sum(c.net_ft), 0) from control.invoices c where c.correction_of = i.id)::bigint as net,
       i.vat_ft + (select coalesce(sum(c.vat_ft), 0) from control.invoices c where c.correction_of = i.id)::bigint as vat
     from control.invoices i where i.kind = 'invoice' and ${ofDocument} order by i.id desc limit 1`,
    [document.kind, document.id],
  )
  if (!row) return undefined
  const { series, net, vat, ...columns } = row
  return { invoice: invoiceOf(columns), series, stands: { net, vat } }
}

async function forgetWaiting(tx: Sql, { kind, id }: Correction['document'], grossFt: bigint): Promise<undefined> {
  await tx.query(
    `delete from control.invoices_waiting where document_kind = $1 and document_id = $2
       and (select sum((line ->> 'grossFt')::bigint) from jsonb_array_elements(request -> 'lines') line) = $3`,
    [kind, id, grossFt.toString()],
  )
}

async function writeCorrection(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  { invoice, series, stands, correction, reason }: Found & { correction: Correction; reason: string },
): Promise<Corrected> {
  const nowMs = context.clock.now()
  const decided = corrected(domainInvoiceOf(invoice), {
    ...{ number: invoice.number, issuedAtMs: nowMs, reason, back: forints(correction.grossFt) },
    stands: { net: forints(stands.net), vat: forints(stands.vat) },
  })
  assert(decided.ok, `An invoice that stands can be corrected: ${decided.ok ? '' : decided.code}`)
  const settings = await readInvoicing(tx)
  const written = await writeInvoice(tx, context, {
    ...{ invoice: decided.correction, series, userId: invoice.userId, seller: invoice.seller },
    ...{ taxPoint: invoice.taxPoint, paymentMethod: invoice.paymentMethod, stornoOf: null },
    ...{ correctionOf: invoice.id, cause: correction.cause },
    requestId: correction.requestId,
    isHandedOver: settings.szamlazz_enabled,
  })
  const { requestId } = correction
  context.log.info(
    { requestId, invoiceId: invoice.id, correctionId: written.id, number: written.number },
    'invoice corrected',
  )
  return written
}
