/** Every reason for refusing an order or a quote. The wire and the screens use these words. */
export const ORDER_REFUSALS = [
  'EMAIL_NOT_VERIFIED',
  'ORDERING_DISABLED',
  'NOT_FOUND',
  'NOT_ORDERABLE',
  'IMAGE_NOT_LISTED',
  'MONTHS_INVALID',
  'INVALID_RESOURCES',
  'COUPON_NOT_FOUND',
  'PRICE_CHANGED',
  'DEBT_OPEN',
  'INSUFFICIENT_BALANCE',
  'NO_CAPACITY',
  'NO_FREE_PORT',
] as const
export type OrderRefusalCode = (typeof ORDER_REFUSALS)[number]

export type OrderRefusal = {
  readonly ok: false
  readonly code: OrderRefusalCode
  /** `price` in whole forints for INSUFFICIENT_BALANCE and PRICE_CHANGED; `resource` and `reason` for INVALID_RESOURCES. */
  readonly params?: Readonly<Record<string, string>>
}

/** A refusal with its code, and the values of its message, if any. */
export function refuseOrder(code: OrderRefusalCode, params?: Readonly<Record<string, string>>): OrderRefusal {
  return params ? { ok: false, code, params } : { ok: false, code }
}

/** A customer in debt cannot spend, whatever its cause: price is the debt. */
export function debtOpen(owedFt: bigint): OrderRefusal {
  return refuseOrder('DEBT_OPEN', { price: owedFt.toString() })
}

/**
 * The specification's sentence is 'You need extra {price} HUF to purchase this server.': price is the missing amount.
 */
export function insufficientBalance(missingFt: bigint): OrderRefusal {
  return refuseOrder('INSUFFICIENT_BALANCE', { price: missingFt.toString() })
}
