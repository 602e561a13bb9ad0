import type { LocalizedText } from '#contracts/locale.ts'
import { correctInvoice as corrected } from '#domain/billing/invoice.ts'
import { forints } from '#domain/billing/money.ts'
import type { DocumentCause } from '#domain/billing/tax-point.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readInvoicing } from '../../cms/cms-reader.ts'
import { domainInvoiceOf, INVOICE_COLUMNS, invoiceOf, type InvoiceDocument } from './invoice-document.ts'
import { stornoInvoice } from './storno-invoice.ts'
import { writeInvoice } from './write-invoice.ts'

export type Corrected = { readonly id: string; readonly number: string }

export type Correction = {
  /** The sale whose invoice is corrected. */
  readonly document: { readonly kind: DocumentCause; readonly id: string }
  /** A unique name of the refund: each refund gets one document. */
  readonly cause: string
  /** The returned amount, with tax. */
  readonly grossFt: bigint
  /**
   * Whether to correct only the remaining amount if that is less: a setting may have changed since, and documents must
   * never block money.
   */
  readonly isBounded?: boolean
  readonly reason: LocalizedText
  readonly requestId: string
}

const AGAIN = ':again:'

/** A top-up that a bank took back and returned has a second invoice, because the first one was cancelled for good. */
export const reissuedId = (documentId: string, causeId: string): string => `${documentId}${AGAIN}${causeId}`

/** The sale behind a document, or behind its reissue. */
export const saleOf = <Document extends { readonly id: string }>(document: Document): Document => {
  const [id = document.id] = document.id.split(AGAIN)
  return { ...document, id }
}

/**
 * Corrects the invoice of a document inside the caller's transaction, by a document of the same series with the
 * returned amount as a negative line; a return of an entire uncorrected invoice becomes a storno. For a top-up with
 * several invoices the newest is corrected first, with one document for each. Undefined when nothing was issued. An
 * invoice that still waits to be issued is dropped if all of it is returned. As with `issueInvoice`, call it after
 * every other lock.
 */
export async function correctInvoice(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  correction: Correction,
): Promise<Corrected | undefined> {
  const { document, cause, grossFt } = correction
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 70))', [`invoice ${document.kind} ${document.id}`])
  const before = await documentOfCause(tx, document, cause)
  if (before) return before
  const issued = await findInvoices(tx, document)
  const [newest] = issued
  if (!newest) return forgetWaiting(tx, document, grossFt)
  const standing = issued.filter(({ invoice, stands }) => !invoice.stornoBy && stands.net + stands.vat > 0n)
  // All of it has been returned already, so there is nothing to document.
  const isBack = standing.length === 0 && !(await isAgainWaiting(tx, document))
  if (isBack && newest.invoice.stornoBy) return newest.invoice.stornoBy
  return correctEach(tx, context, { standing, correction })
}

async function correctEach(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  { standing, correction }: { standing: readonly Found[]; correction: Correction },
): Promise<Corrected | undefined> {
  const standsFt = standing.reduce((sum, { stands }) => sum + stands.net + stands.vat, 0n)
  // The rest waits for the seller, and is corrected after it is issued.
  if (correction.grossFt > standsFt && (await isAgainWaiting(tx, correction.document))) return undefined
  const { isBounded = false } = correction
  assert(
    isBounded || correction.grossFt <= standsFt,
    'No more is taken off invoices than stands on them: AMOUNT_INVALID',
  )
  const made: Corrected[] = []
  let leftFt = correction.grossFt
  for (const found of standing) {
    const foundFt = found.stands.net + found.stands.vat
    const grossFt = leftFt < foundFt ? leftFt : foundFt
    if (grossFt > 0n) made.push(await correctOne(tx, context, { ...found, correction: { ...correction, grossFt } }))
    leftFt -= grossFt
  }
  return made[0]
}

function correctOne(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  found: Found & { correction: Correction },
): Promise<Corrected> {
  const { invoice, correction } = found
  const { grossFt, cause, requestId } = correction
  const reason = correction.reason[invoice.language]
  if (invoice.correctedBy.length > 0 || grossFt !== BigInt(invoice.grossFt)) {
    return writeCorrection(tx, context, { ...found, reason })
  }
  const whole = { kind: invoice.documentKind, id: invoice.documentId }
  return stornoStanding(tx, context, { document: whole, reason, cause, requestId })
}

async function stornoStanding(...storno: Parameters<typeof stornoInvoice>): Promise<Corrected> {
  const document = await stornoInvoice(...storno)
  assert(document, 'What stands can be taken back.')
  return document
}

/** The invoices of a document and of its reissues. */
const ofDocument = `i.document_kind = $1 and i.document_id in (select $2::text union all
  select $2::text || ':again:' || c.cause_id from control.sale_corrections c
  where c.sale_kind = $1 and c.sale_id = $2::text and c.undone_at is not null)`

async function documentOfCause(
  tx: Sql,
  document: Correction['document'],
  cause: string,
): Promise<Corrected | undefined> {
  const [row] = await tx.query<{ id: string; number: string }>(
    `select id, number from control.invoices i where ${ofDocument} and i.kind <> 'invoice' and i.correction_cause = $3 limit 1`,
    [document.kind, document.id, cause],
  )
  return row
}

type Found = {
  readonly invoice: InvoiceDocument
  readonly series: string
  readonly stands: { net: bigint; vat: bigint }
}

/** Newest first. */
async function findInvoices(tx: Sql, document: Correction['document']): Promise<Found[]> {
  const rows = await tx.query<Parameters<typeof invoiceOf>[0] & { series: string; net: bigint; vat: bigint }>(
    `select ${INVOICE_COLUMNS}, i.series,
       i.net_ft + (select coalesce(sum(c.net_ft), 0) from control.invoices c where c.correction_of = i.id)::bigint as net,
       i.vat_ft + (select coalesce(sum(c.vat_ft), 0) from control.invoices c where c.correction_of = i.id)::bigint as vat
     from control.invoices i where i.kind = 'invoice' and ${ofDocument} order by i.id desc`,
    [document.kind, document.id],
  )
  return rows.map(({ series, net, vat, ...columns }) => ({ invoice: invoiceOf(columns), series, stands: { net, vat } }))
}

async function isAgainWaiting(tx: Sql, { kind, id }: Correction['document']): Promise<boolean> {
  const rows = await tx.query(
    `select from control.invoices_waiting where document_kind = $1 and starts_with(document_id, $2) limit 1`,
    [kind, `${id}${AGAIN}`],
  )
  return rows.length > 0
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
    number: invoice.number,
    issuedAtMs: nowMs,
    reason,
    back: forints(correction.grossFt),
    stands: { net: forints(stands.net), vat: forints(stands.vat) },
  })
  assert(decided.ok, `An invoice that stands can be corrected: ${decided.ok ? '' : decided.code}`)
  const settings = await readInvoicing(tx)
  const written = await writeInvoice(tx, context, {
    invoice: decided.correction,
    series,
    userId: invoice.userId,
    seller: invoice.seller,
    taxPoint: invoice.taxPoint,
    paymentMethod: invoice.paymentMethod,
    stornoOf: null,
    correctionOf: invoice.id,
    cause: correction.cause,
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
