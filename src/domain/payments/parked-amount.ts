import { inHouseUnits, type ObservedAmount } from './payment-amount.ts'
import { parseForints, MAX_TOP_UP_FT } from './top-up.ts'

/**
 * No unit of a currency that customers pay with is worth more forints than this. It bounds a slip of the keyboard: what money of
 * another currency is worth stands on the provider's own statement, which staff read.
 */
export const MAX_FT_PER_UNIT = 1_000n

export type ParkedAmount = {
  /** As the provider states it. */
  readonly amount: ObservedAmount
  /** What it hands over in whole forints; null where that is not known. */
  readonly forwardedFt: bigint | null
}

/** The most that a customer may be credited with for parked money, in forints. What is known is exactly that. */
export function maximumAssignedFt({ amount, forwardedFt }: ParkedAmount): bigint {
  if (forwardedFt !== null) return forwardedFt
  if (amount.minor <= 0n) return 0n
  const whole = inHouseUnits(amount, 'HUF')
  if (whole !== undefined) return whole
  const scale = 10n ** BigInt(amount.exponent)
  if (amount.currency === 'HUF') return amount.minor / scale
  const most = (amount.minor * MAX_FT_PER_UNIT) / scale
  return most < MAX_TOP_UP_FT ? most : MAX_TOP_UP_FT
}

/** What staff credit for parked money: what the provider hands over, or what they say where that is not known. Undefined is refused. */
export function assignedFt(parked: ParkedAmount, said: number | undefined): bigint | undefined {
  const { forwardedFt } = parked
  if (said === undefined) return forwardedFt ?? undefined
  const parsed = parseForints(said)
  if (!parsed.ok) return undefined
  const { minor } = parsed.amount
  if (forwardedFt !== null) return minor === forwardedFt ? minor : undefined
  return minor <= maximumAssignedFt(parked) ? minor : undefined
}
