import * as z from 'zod'
import { Id, MAX_ITEMS } from '../primitives.ts'
import { InvoicePage, InvoicePath } from './balance.ts'
import { TaxProfile } from './tax.ts'

/** Rows of the API table: invoices of the signed-in person. */
export const INVOICE_ROUTES = {
  'GET /api/balance/invoices': {
    summary: 'List invoices and receipts',
    auth: 'user',
    limit: 'read',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(MAX_ITEMS).optional(),
      before: Id.optional(),
    }),
    call: 'invoices',
    output: InvoicePage,
  },
  'GET /api/balance/tax': {
    summary: 'Get the tax rate and the result of the VAT number check',
    auth: 'user',
    limit: 'read',
    call: 'tax-profile',
    output: TaxProfile,
  },
  'GET /api/balance/invoices/{id}/pdf': {
    summary: 'Download an invoice or receipt as a PDF',
    auth: 'user',
    limit: 'invoiceFile',
    path: InvoicePath,
    output: z.instanceof(Uint8Array),
    gives: 'application/pdf',
  },
  'GET /api/balance/invoices/csv': {
    summary: 'Download all invoices and receipts as a CSV file',
    auth: 'user',
    limit: 'invoiceFile',
    output: z.string(),
    gives: 'text/csv',
  },
} as const
