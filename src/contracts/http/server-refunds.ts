import * as z from 'zod'
import { AmountFt, Id, Instant, WishedFt } from '../primitives.ts'
import { StaffReason } from './staff-payments.ts'

/**
 * The refundable amounts of a server: `unusedFt` by default, `refundableFt` at most. Paid is the total over its whole
 * life: order, renewals and upgrades.
 */
export const ServerRefundQuote = z.object({
  serverId: Id,
  ownerId: Id,
  name: z.string(),
  paidFt: AmountFt,
  returnedFt: AmountFt,
  refundableFt: AmountFt,
  unusedFt: AmountFt,
  unusedMoneyFt: AmountFt,
  unusedBonusFt: AmountFt,
  expiry: Instant,
})

/** `endServer` ends the paid time: the server stops, is kept for 72 h and then deleted. */
export const RefundServer = z.object({
  serverId: Id,
  amountFt: WishedFt.optional(),
  reason: StaffReason,
  endServer: z.boolean().default(false),
})
export const RefundedServer = z.object({ refundId: Id, amountFt: AmountFt, moneyFt: AmountFt, bonusFt: AmountFt })
