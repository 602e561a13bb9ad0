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

/** Converts a test server to a paid one of the same service, with a chosen size and number of months. */
export const ConversionQuoteRequest = z.object(conversionFields)
export type ConversionQuoteRequest = z.infer<typeof ConversionQuoteRequest>

/** The price of an order, and when the paid time begins: at the end of the test, or now if it has ended. */
export const ConversionQuote = z.object({ ...Quote.shape, paidFrom: Instant })
export type ConversionQuote = z.infer<typeof ConversionQuote>

/** `expectedTotalFt` is the price that the customer saw; another price is refused with PRICE_CHANGED. */
export const ConversionRequest = z.object({
  ...conversionFields,
  expectedTotalFt: SeenFt.optional(),
  termsVersion: TermsVersion.optional(),
})
export type ConversionRequest = z.infer<typeof ConversionRequest>

export const ConversionAnswer = z.object({ orderId: Id, totalFt: AmountFt, server: Server })
export type ConversionAnswer = z.infer<typeof ConversionAnswer>
