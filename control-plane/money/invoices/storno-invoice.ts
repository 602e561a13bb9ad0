import { stornoInvoice as takenBack } from '#domain/billing/invoice.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readInvoicing } from '../../cms/cms-reader.ts'
import { domainInvoiceOf, INVOICE_COLUMNS, invoiceOf } from './invoice-document.ts'
import { writeInvoice } from './write-invoice.ts'

export type Storno = {
  /** The document whose invoice is cancelled entirely. */
  readonly document: { readonly kind: string; readonly id: string }
  readonly reason: string
  /** The cause of the return, if it covers the entire invoice. */
  readonly cause?: string | undefined
  readonly requestId: string
}

/**
 * Cancels the invoice of a document inside the caller's transaction, by a document of the same series with every amount
 * negated. Once: a repetition returns the existing storno. Undefined when nothing was issued; a waiting request is then
 * dropped. As with `issueInvoice`, call it after every other lock.
 */
export async function stornoInvoice(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  { document, reason, cause, requestId }: Storno,
): Promise<{ readonly id: string; readonly number: string } | undefined> {
  const { kind, id } = document
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 70))', [`invoice ${kind} ${id}`])
  const [row] = await tx.query<Parameters<typeof invoiceOf>[0] & { series: string }>(
    `select ${INVOICE_COLUMNS}, i.series from control.invoices i
     where i.kind = 'invoice' and i.document_kind = $1 and i.document_id = $2
     order by i.id desc limit 1`,
    [kind, id],
  )
  if (!row) {
    await tx.query('delete from control.invoices_waiting where document_kind = $1 and document_id = $2', [kind, id])
    return undefined
  }
  const invoice = invoiceOf(row)
  if (invoice.stornoBy) return invoice.stornoBy
  const nowMs = context.clock.now()
  const decided = takenBack(domainInvoiceOf(invoice), {
    number: invoice.number,
    stornoNumber: '',
    issuedAtMs: nowMs,
    reason,
  })
  assert(decided.ok, `An invoice that stands can be taken back: ${decided.ok ? '' : decided.code}`)
  const settings = await readInvoicing(tx)
  const storno = await writeInvoice(tx, context, {
    invoice: { ...decided.storno, performedAtMs: nowMs },
    series: row.series,
    userId: invoice.userId,
    seller: invoice.seller,
    taxPoint: invoice.taxPoint,
    paymentMethod: invoice.paymentMethod,
    stornoOf: invoice.id,
    cause,
    requestId,
    isHandedOver: settings.szamlazz_enabled,
  })
  context.log.info(
    { requestId, invoiceId: invoice.id, stornoId: storno.id, number: storno.number },
    'invoice taken back',
  )
  return storno
}
