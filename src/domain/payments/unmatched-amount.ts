import { inHouseUnits, type ObservedAmount } from './payment-amount.ts'
import { parseForints, MAX_TOP_UP_FT } from './top-up.ts'

/**
 * No unit of a payment currency is worth more forints than this. It catches typing mistakes: the value of foreign money
 * is on the provider's own statement, which staff read.
 */
export const MAX_FT_PER_UNIT = 1_000n

export type UnmatchedAmount = {
  /** As stated by the provider. */
  readonly amount: ObservedAmount
  /** The forwarded amount in whole forints; null if unknown. */
  readonly forwardedFt: bigint | null
}

/** The maximum credit for an unmatched payment, in forints. A known amount is exactly that. */
export function maximumAssignedFt({ amount, forwardedFt }: UnmatchedAmount): bigint {
  if (forwardedFt !== null) return forwardedFt
  if (amount.minor <= 0n) return 0n
  const whole = inHouseUnits(amount, 'HUF')
  if (whole !== undefined) return whole
  const scale = 10n ** BigInt(amount.exponent)
  if (amount.currency === 'HUF') return amount.minor / scale
  const most = (amount.minor * MAX_FT_PER_UNIT) / scale
  return most < MAX_TOP_UP_FT ? most : MAX_TOP_UP_FT
}

/**
 * The credit for an unmatched payment: the forwarded amount, or staff's input if that is unknown. Undefined is refused.
 */
export function assignedFt(unmatched: UnmatchedAmount, said: number | undefined): bigint | undefined {
  const { forwardedFt } = unmatched
  if (said === undefined) return forwardedFt ?? undefined
  const parsed = parseForints(said)
  if (!parsed.ok) return undefined
  const { minor } = parsed.amount
  if (forwardedFt !== null) return minor === forwardedFt ? minor : undefined
  return minor <= maximumAssignedFt(unmatched) ? minor : undefined
}
