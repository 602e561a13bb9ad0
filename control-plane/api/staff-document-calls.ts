import { renderInvoice } from '../money/invoices/pdf/render-invoice.ts'
import { readInvoice } from '../money/invoices/read-invoices.ts'
import { readStaffInvoices } from '../money/invoices/read-staff-invoices.ts'
import { readStaffServers } from '../servers/store/staff-servers.ts'
import { administratorOf } from './administrator-of.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

type DocumentCall = 'staff-invoices' | 'staff-invoice-file' | 'staff-servers'

/** Administrators' reads of documents and of refundable servers. */
export const staffDocumentCalls = ({ context: { db } }: ApiDeps): Pick<InternalCalls, DocumentCall> => ({
  'staff-invoices': async ({ caller, ...filter }) => {
    administratorOf(caller)
    return readStaffInvoices(db, { ...filter, locale: caller.locale })
  },
  'staff-invoice-file': async ({ caller, invoiceId }) => {
    administratorOf(caller)
    const invoice = await readInvoice(db, invoiceId)
    if (!invoice) throw new ApiRefusal('NOT_FOUND')
    const pdf = Buffer.from(await renderInvoice(invoice)).toString('base64')
    return { fileName: `${invoice.number}.pdf`, pdf }
  },
  'staff-servers': async ({ caller, ...filter }) => {
    administratorOf(caller)
    return readStaffServers(db, filter)
  },
})
