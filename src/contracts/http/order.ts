import * as z from 'zod'
import { IMAGE_MAX_LENGTH } from '../agent/image-reference.ts'
import { AmountFt, Id, Instant, TermsVersion, VatPercent, SeenFt } from '../primitives.ts'
import { Server } from './server.ts'
import { ResourceChoice } from './service.ts'

const orderFields = {
  serviceId: Id,
  packageId: Id.optional(),
  resources: ResourceChoice.optional(),
  months: z.int().min(1).max(6),
  couponCode: z.string().trim().max(64).optional(),
}

export const QuoteRequest = z.object(orderFields)
export type QuoteRequest = z.infer<typeof QuoteRequest>

/** A named part of a price, for all months, tax included. Discounts are negative; the sum of the parts is the total. */
export const QuotePart = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('resource'),
    /** `package`, `points` or a resource. */
    key: z.string(),
    quantity: z.number(),
    monthlyFt: AmountFt,
    amountFt: AmountFt,
  }),
  z.object({ kind: z.literal('premium-discount'), percent: z.int(), amountFt: AmountFt }),
  z.object({ kind: z.literal('coupon'), code: z.string(), amountFt: AmountFt }),
])
export type QuotePart = z.infer<typeof QuotePart>

/**
 * All amounts gross whole forints; net + vat = total. `missingFt` is the shortfall of the balance, 0 if it is enough.
 */
export const Quote = z.object({
  monthlyFt: AmountFt,
  months: z.int(),
  discountFt: AmountFt,
  totalFt: AmountFt,
  netFt: AmountFt,
  vatFt: AmountFt,
  vatPercent: VatPercent,
  balanceFt: AmountFt,
  balanceAfterFt: AmountFt,
  missingFt: AmountFt,
  expiresAt: Instant,
  renewalFt: AmountFt,
  /** A control plane of the previous release does not send them. */
  parts: z.array(QuotePart).default([]),
})
export type Quote = z.infer<typeof Quote>

export const ServerName = z
  .string()
  .trim()
  .min(1)
  .max(48)
  .regex(/^[^\p{C}]+$/u)

/**
 * `dockerImage` is one in the template's list; by default its first. `expectedTotalFt` is the price that the customer
 * saw; another price is refused with PRICE_CHANGED.
 */
export const OrderRequest = z.object({
  ...orderFields,
  name: ServerName,
  dockerImage: z.string().max(IMAGE_MAX_LENGTH).optional(),
  sshKey: z.string().max(4_096).optional(),
  osTemplateId: z.string().max(64).optional(),
  expectedTotalFt: SeenFt.optional(),
  termsVersion: TermsVersion.optional(),
})
export type OrderRequest = z.infer<typeof OrderRequest>

export const ORDER_STATES = ['provisioning', 'completed', 'failed'] as const
export const Order = z.object({
  id: Id,
  state: z.enum(ORDER_STATES),
  totalFt: AmountFt,
  createdAt: Instant,
  failureReason: z.string().nullable(),
})
export type Order = z.infer<typeof Order>

export const OrderAnswer = z.object({ order: Order, server: Server })
export type OrderAnswer = z.infer<typeof OrderAnswer>
