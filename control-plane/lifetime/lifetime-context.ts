import type { MailSealing } from '../mail/mail-context.ts'
import type { OrderContext } from '../orders/order-context.ts'
import type { ClockGuard } from './clock-guard.ts'

/** What the lifetime run needs of the outside world. */
export type LifetimeContext = OrderContext & MailSealing & { readonly clockGuard: ClockGuard }

/** Where a crash of the run matters, in the order in which they are passed for one server. */
export const LIFETIME_FAULTS = [
  'lifetime.page',
  'lifetime.locked',
  'lifetime.acted',
  'lifetime.looked',
  'lifetime.committed',
] as const
