import * as z from 'zod'
import { AmountFt, Id, Instant, SeenFt, TermsVersion } from '../primitives.ts'
import { Quote } from './order.ts'
import { Server } from './server.ts'
import { ResourceChoice } from './service.ts'

const conversionFields = {
  packageId: Id.optional(),
  resources: ResourceChoice.optional(),
  months: z.int().min(1).max(6),
  couponCode: z.string().trim().max(64).optional(),
}

/** A test server becomes a paid one of the same service, in the size and for the months that are chosen. */
export const ConversionQuoteRequest = z.object(conversionFields)
export type ConversionQuoteRequest = z.infer<typeof ConversionQuoteRequest>

/** The price of an order, and when the paid time begins: where the test ends, or now if it is over. */
export const ConversionQuote = z.object({ ...Quote.shape, paidFrom: Instant })
export type ConversionQuote = z.infer<typeof ConversionQuote>

/** `expectedTotalFt` is what the customer saw; another price answers PRICE_CHANGED. */
export const ConversionRequest = z.object({
  ...conversionFields,
  expectedTotalFt: SeenFt.optional(),
  termsVersion: TermsVersion.optional(),
})
export type ConversionRequest = z.infer<typeof ConversionRequest>

export const ConversionAnswer = z.object({ orderId: Id, totalFt: AmountFt, server: Server })
export type ConversionAnswer = z.infer<typeof ConversionAnswer>
