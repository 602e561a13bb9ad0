import * as z from 'zod'
import { Id, MAX_ITEMS } from '../../primitives.ts'
import { InvoicePage, InvoicePath } from '../balance.ts'
import { TaxProfile } from '../tax.ts'

/** Rows of the API table: invoices of the signed-in person. */
export const INVOICE_ROUTES = {
  'GET /api/balance/invoices': {
    summary: 'Invoices and receipts',
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
    summary: 'The tax that one pays, and the check of the VAT number',
    auth: 'user',
    limit: 'read',
    call: 'tax-profile',
    output: TaxProfile,
  },
  'GET /api/balance/invoices/{id}/pdf': {
    summary: 'One invoice or receipt as PDF',
    auth: 'user',
    limit: 'invoiceFile',
    path: InvoicePath,
    output: z.instanceof(Uint8Array),
    gives: 'application/pdf',
  },
  'GET /api/balance/invoices/csv': {
    summary: 'All invoices and receipts as a table',
    auth: 'user',
    limit: 'invoiceFile',
    output: z.string(),
    gives: 'text/csv',
  },
} as const
