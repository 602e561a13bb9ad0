import type { MailContent } from '#contracts/mail/mail.ts'
import { acceptMail } from '../../messages/mail/accept-mail.ts'
import type { MailSealing } from '../../messages/mail/mail-context.ts'
import type { Context } from '../../platform/context.ts'
import { readPeople, readPerson } from '../../cms/cms-reader.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import { readInvoice } from './read-invoices.ts'

/** A mail about an invoice is worth sending for a week; after that the list of invoices is enough. */
const MAIL_LIFE_MS = 7 * 86_400_000

const PATH = '/dashboard/balance/invoices'

/**
 * Notifies the customer by mail of a new document, with a link. The mail has the document's own id, so that a
 * repetition sends no second one.
 */
export async function mailInvoice(
  context: Pick<Context, 'db' | 'ids' | 'clock'> & MailSealing,
  invoiceId: string,
  requestId: string,
): Promise<void> {
  const invoice = await readInvoice(context.db, invoiceId)
  if (!invoice) return
  const person = await readPerson(context.db, invoice.userId)
  // An unverified address may belong to somebody else.
  if (!person?.verified) return
  const expiresAt = new Date(invoice.issuedAt.getTime() + MAIL_LIFE_MS).toISOString()
  const order = { id: invoice.id, to: person.email, language: invoice.language, expiresAt, content: contentOf(invoice) }
  await context.db.transaction((tx) => acceptMail(tx, context, { order, requestId }))
}

/** The same for many documents, few of which have a recipient. */
export async function mailInvoices(
  context: Parameters<typeof mailInvoice>[0],
  waiting: readonly { readonly invoiceId: string; readonly requestId: string }[],
): Promise<void> {
  const ids = waiting.map(({ invoiceId }) => invoiceId)
  const issued = await context.db.query<{ id: string; user_id: string }>(
    'select id, user_id from control.invoices where id = any ($1)',
    [ids],
  )
  const people = await readPeople(context.db, [...new Set(issued.map(({ user_id: userId }) => userId))])
  const reachable = new Set(people.flatMap(({ id, verified }) => (verified ? id : [])))
  const told = new Set(issued.flatMap(({ id, user_id: userId }) => (reachable.has(userId) ? id : [])))
  for (const { invoiceId, requestId } of waiting) {
    if (told.has(invoiceId)) await mailInvoice(context, invoiceId, requestId)
  }
}

function contentOf(invoice: InvoiceDocument): MailContent {
  const { number, form, grossFt, issuedAt, stornoOf, correctionOf } = invoice
  const isReceipt = form === 'receipt' ? ({ isReceipt: true } as const) : {}
  const facts = { number, at: issuedAt.toISOString(), path: PATH, ...isReceipt }
  if (correctionOf) return { kind: 'correction', params: { ...facts, of: correctionOf.number, amountFt: -grossFt } }
  if (!stornoOf) return { kind: 'invoice', params: { ...facts, amountFt: grossFt } }
  return { kind: 'storno', params: { ...facts, of: stornoOf.number, amountFt: -grossFt } }
}
