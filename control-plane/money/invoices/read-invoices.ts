import type { Invoice, InvoicePage } from '#contracts/http/balance.ts'
import type { Locale } from '#contracts/locale.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { INVOICE_COLUMNS, invoiceOf, stateOf, wordsOf, type InvoiceDocument } from './invoice-document.ts'

type Row = Parameters<typeof invoiceOf>[0]

const DEFAULT_PAGE = 50

/** One document, without an ownership check; undefined for an unknown one. */
export async function readInvoice(sql: Sql, id: string): Promise<InvoiceDocument | undefined> {
  const [row] = await sql.query<Row>(`select ${INVOICE_COLUMNS} from control.invoices i where i.id = $1`, [id])
  return row && invoiceOf(row)
}

/** One document of a person; undefined for another's. */
export async function readOwnInvoice(
  sql: Sql,
  { userId, id }: { userId: string; id: string },
): Promise<InvoiceDocument | undefined> {
  const invoice = await readInvoice(sql, id)
  return invoice?.userId === userId ? invoice : undefined
}

type Page = {
  readonly userId: string
  readonly locale: Locale
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

/** A page of a person's documents, newest first; `next` is the id to continue before, or null at the end. */
export async function readInvoices(
  sql: Sql,
  { userId, locale, limit = DEFAULT_PAGE, before }: Page,
): Promise<InvoicePage> {
  const rows = await sql.query<Row>(
    `select ${INVOICE_COLUMNS} from control.invoices i
     where i.user_id = $1 and ($2::uuid is null or i.id < $2) order by i.id desc limit $3`,
    [userId, before ?? null, limit + 1],
  )
  const items = rows.slice(0, limit).map((row) => listed(invoiceOf(row), locale))
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** A document as an entry of a list, whose words are in the reader's language; the document itself has its own. */
export const listed = (invoice: InvoiceDocument, locale: Locale): Invoice => ({
  id: invoice.id,
  number: invoice.number,
  kind: invoice.kind,
  form: invoice.form,
  status: stateOf(invoice),
  totalFt: invoice.grossFt,
  netFt: invoice.netFt,
  vatFt: invoice.vatFt,
  what: wordsOf(invoice, locale),
  stornoOf: invoice.stornoOf?.number ?? null,
  stornoBy: invoice.stornoBy?.number ?? null,
  correctionOf: invoice.correctionOf?.number ?? null,
  correctedBy: invoice.correctedBy.map(({ number }) => number),
  downloadUrl: `/api/balance/invoices/${invoice.id}/pdf`,
  createdAt: invoice.issuedAt.toISOString(),
})

/** More documents than anybody has; spreadsheets can still open a file of that size. */
const MOST = 20_000

/** All documents of a person, oldest first. */
export async function readAllInvoices(sql: Sql, userId: string): Promise<InvoiceDocument[]> {
  const rows = await sql.query<Row>(
    `select ${INVOICE_COLUMNS} from control.invoices i where i.user_id = $1 order by i.id limit ${MOST}`,
    [userId],
  )
  return rows.map(invoiceOf)
}
