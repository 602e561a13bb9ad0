import type { Context } from '../../platform/context.ts'
import { saleOf } from './correct-invoice.ts'
import { InvoiceRequest, issueInvoice } from './issue-invoice.ts'
import { sellerOf } from './parties.ts'
import { readInvoicing } from '../../cms/cms-reader.ts'
import { documentReturns, lockSale } from './correct-sale.ts'

const BATCH = 100

/**
 * Issues the invoices that waited for the seller's data, and corrections for returns since. A failed one is logged and
 * does not stop the others. Returns the number of invoices.
 */
export async function issueWaiting(context: Context): Promise<number> {
  if (!sellerOf(await readInvoicing(context.db))) return 0
  const waiting = await context.db.query<{ document_kind: string; document_id: string }>(
    `select document_kind, document_id from control.invoices_waiting order by created_at limit ${BATCH}`,
  )
  let issued = 0
  for (const { document_kind: kind, document_id: id } of waiting) {
    try {
      issued += await issueOneWaiting(context, { kind, id })
    } catch (error) {
      context.log.error({ document: { kind, id }, reason: String(error) }, 'a waiting invoice could not be issued')
    }
  }
  return issued
}

const issueOneWaiting = (context: Context, { kind, id }: { kind: string; id: string }): Promise<number> =>
  context.db.transaction(async (tx) => {
    await lockSale(tx, saleOf({ kind, id }))
    const [row] = await tx.query<{ request: unknown }>(
      'delete from control.invoices_waiting where document_kind = $1 and document_id = $2 returning request',
      [kind, id],
    )
    if (!row) return 0
    const request = InvoiceRequest.parse(row.request)
    const issued = await issueInvoice(tx, context, request)
    await documentReturns(tx, context, saleOf(request.document))
    return issued.ok ? 1 : 0
  })
