import * as z from 'zod'
import { Invoice } from './balance.ts'
import { Id, Instant } from '../primitives.ts'

/** A document of any customer. `reason` explains a storno or a correction. */
export const StaffDocument = Invoice.omit({ downloadUrl: true }).extend({
  userId: Id,
  reason: z.string().nullable(),
  correctionOf: z.string().nullable(),
  correctedBy: z.array(z.string()),
})
export type StaffDocument = z.infer<typeof StaffDocument>

/** An invoice or receipt with its stornos and corrections, oldest first. */
export const StaffInvoice = StaffDocument.extend({ takenBackBy: z.array(StaffDocument) })
export type StaffInvoice = z.infer<typeof StaffInvoice>

/**
 * `number`: of the invoice, or of its storno or correction. `saleId`: the row of the payment, order, renewal... that it
 * was issued for.
 */
export const StaffInvoiceFilter = z.object({
  userId: Id.optional(),
  number: z.string().trim().max(64).optional(),
  saleId: Id.optional(),
})
export const StaffInvoicePage = z.object({ items: z.array(StaffInvoice), next: Id.nullable() })

/** A server of a customer, even a deleted one: its payments may still be refunded. */
export const StaffServer = z.object({
  id: Id,
  identifier: z.string(),
  name: z.string(),
  ownerId: Id,
  expiry: Instant,
  isDeleted: z.boolean(),
})
export type StaffServer = z.infer<typeof StaffServer>
export const StaffServerFilter = z.object({ userId: Id })
export const StaffServerPage = z.object({ items: z.array(StaffServer), next: Id.nullable() })
