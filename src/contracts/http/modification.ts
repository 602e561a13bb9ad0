import * as z from 'zod'
import { AmountFt, Id, Instant } from '../primitives.ts'
import { Server } from './server.ts'
import { ResourceChoice } from './service.ts'

/** What of a server its owner may choose: of which service it is, and whether a package or a test fixes its size. */
export const ServerSize = z.object({
  serviceId: Id,
  packageId: Id.nullable(),
  isTest: z.boolean(),
  resources: ResourceChoice,
})
export type ServerSize = z.infer<typeof ServerSize>

export const ModificationQuoteRequest = z.object({ resources: ResourceChoice })
export type ModificationQuoteRequest = z.infer<typeof ModificationQuoteRequest>

/** Whole forints, tax included. One of `chargeFt` and `backFt` is 0; `days` of the paid time are left. */
export const ModificationQuote = z.object({
  days: z.int(),
  monthlyFt: AmountFt,
  newMonthlyFt: AmountFt,
  chargeFt: AmountFt,
  backFt: AmountFt,
  balanceFt: AmountFt,
  balanceAfterFt: AmountFt,
  missingFt: AmountFt,
  expiry: Instant,
})
export type ModificationQuote = z.infer<typeof ModificationQuote>

/** `expectedChargeFt` is what the customer saw: positive what is taken, negative what is given back. Else PRICE_CHANGED. */
export const ModificationRequest = z.object({ resources: ResourceChoice, expectedChargeFt: AmountFt.optional() })
export type ModificationRequest = z.infer<typeof ModificationRequest>

export const ModificationRecord = z.object({ id: Id, chargeFt: AmountFt, backFt: AmountFt, monthlyFt: AmountFt })
export const ModificationAnswer = z.object({ modification: ModificationRecord, server: Server })
export type ModificationAnswer = z.infer<typeof ModificationAnswer>
