import type { Sql } from '#platform/postgres/database.ts'
import type { Locale } from '#contracts/locale.ts'
import type { StaffDocument, StaffInvoice } from '#contracts/http/staff-documents.ts'
import { INVOICE_COLUMNS, invoiceOf } from './invoice-document.ts'
import { listed } from './read-invoices.ts'

type Row = Parameters<typeof invoiceOf>[0]
type Filter = {
  readonly locale: Locale
  readonly userId?: string | undefined
  readonly number?: string | undefined
  readonly saleId?: string | undefined
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

const DEFAULT_PAGE = 50

function shown(row: Row, locale: Locale): { document: StaffDocument; ofId: string | undefined } {
  const invoice = invoiceOf(row)
  const { downloadUrl: _, ...document } = listed(invoice, locale)
  return {
    document: { ...document, userId: invoice.userId, reason: invoice.reason },
    ofId: (invoice.stornoOf ?? invoice.correctionOf)?.id,
  }
}

/**
 * A page of all invoices and receipts, newest first, each with its storno or corrections; `next` is where to continue
 * before.
 */
export async function readStaffInvoices(
  sql: Sql,
  { locale, userId, number, saleId, limit = DEFAULT_PAGE, before }: Filter,
): Promise<{ items: StaffInvoice[]; next: string | null }> {
  const heads = await sql.query<Row>(
    `select ${INVOICE_COLUMNS} from control.invoices i
     where i.kind = 'invoice' and ($1::uuid is null or i.user_id = $1) and ($2::uuid is null or i.id < $2)
       and ($3::text is null or i.document_id = $3 or starts_with(i.document_id, $3 || ':again:'))
       and ($4::text is null or i.number = $4
         or exists (select from control.invoices c where (c.storno_of = i.id or c.correction_of = i.id) and c.number = $4))
     order by i.id desc limit $5`,
    [userId ?? null, before ?? null, saleId ?? null, number || null, limit + 1],
  )
  const invoices = heads.slice(0, limit).map((row) => shown(row, locale).document)
  const taking = await sql.query<Row>(
    `select ${INVOICE_COLUMNS} from control.invoices i
     where i.storno_of = any ($1::uuid[]) or i.correction_of = any ($1::uuid[]) order by i.id`,
    [invoices.map(({ id }) => id)],
  )
  const documents = taking.map((row) => shown(row, locale))
  const items = invoices.map((invoice) => ({
    ...invoice,
    takenBackBy: documents.filter(({ ofId }) => ofId === invoice.id).map(({ document }) => document),
  }))
  return { items, next: heads.length > limit ? (items.at(-1)?.id ?? null) : null }
}
