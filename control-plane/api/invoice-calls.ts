import { invoicesCsv } from '../money/invoices/invoices-csv.ts'
import { renderInvoice } from '../money/invoices/pdf/render-invoice.ts'
import { readAllInvoices, readInvoices, readOwnInvoice } from '../money/invoices/read-invoices.ts'
import { readTaxProfile } from '../money/tax/read-tax-profile.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

type InvoiceCall = 'invoices' | 'invoice-file' | 'invoices-csv' | 'tax-profile'

/** Calls about one's own invoices. Another person's invoice is answered with NOT_FOUND. */
export const invoiceCalls = ({ context }: ApiDeps): Pick<InternalCalls, InvoiceCall> => ({
  invoices: ({ caller: { userId, locale }, limit, before }) =>
    readInvoices(context.db, { userId, locale, limit, before }),
  'invoice-file': async ({ caller, invoiceId }) => {
    const invoice = await readOwnInvoice(context.db, { userId: caller.userId, id: invoiceId })
    if (!invoice) throw new ApiRefusal('NOT_FOUND')
    const pdf = Buffer.from(await renderInvoice(invoice)).toString('base64')
    return { fileName: `${invoice.number}.pdf`, pdf }
  },
  'tax-profile': ({ caller }) => readTaxProfile(context, { userId: caller.userId }),
  'invoices-csv': async ({ caller }) => ({
    csv: invoicesCsv(await readAllInvoices(context.db, caller.userId), caller.locale),
  }),
})
