import type { Money } from '#domain/billing/money.ts'
import type { Origin } from '../../control-plane/money/ledger/postings.ts'
import { priceCaptured, priceHeld } from '../../control-plane/money/ledger/price-postings.ts'
import type { CaptureRequest, HoldRequest } from '../../control-plane/money/ledger/transfer.ts'

type OrderMoney = {
  readonly orderId: string
  readonly userId: string
  readonly total: Money
  readonly product: string
}

const priceOf = ({ orderId, userId, total, product }: OrderMoney) => ({
  key: `order:${orderId}`,
  userId,
  total,
  reason: `Order of ${product}`,
  ref: { type: 'order', id: orderId } as const,
})

/** Reserves an order's price, as the till does. */
export const orderHeld = (origin: Origin, order: OrderMoney & { expiresAtMs: number }): HoldRequest =>
  priceHeld(origin, { ...priceOf(order), expiresAtMs: order.expiresAtMs })

/** Captures an order's price, as the till does. */
export const orderCaptured = (
  origin: Origin,
  order: OrderMoney & { holdId: string; rateBasisPoints: bigint },
): CaptureRequest => {
  const { holdId, rateBasisPoints } = order
  return priceCaptured(origin, { ...priceOf(order), kind: 'order', holdId, rateBasisPoints })
}
