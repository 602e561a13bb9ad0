import type { Caller } from '#contracts/internal-api/calls.ts'

/** The ordering customer, and the order's request id in all programs. */
export type OrderCaller = { readonly caller: Caller; readonly requestId: string }

/** How long a price stays held. Longer than any installation may take. */
export const HOLD_MS = 2 * 60 * 60 * 1000

/** Fault points in the order in which they are passed. Tests kill the process at each of them. */
export const PLACE_ORDER_FAULTS = [
  'order.begin',
  'order.priced',
  'order.placed-on-node',
  'order.held',
  'order.server-written',
  'order.ports-taken',
  'order.order-written',
  'order.coupon-reserved',
  'order.statement-written',
  'order.outbox-written',
  'order.committed',
] as const
export const SETTLE_ORDER_FAULTS = [
  'order-settle.begin',
  'order-settle.locked',
  'order-settle.order-written',
  'order-settle.notified',
  'order-settle.money-moved',
  'order-settle.invoiced',
  'order-settle.committed',
] as const
