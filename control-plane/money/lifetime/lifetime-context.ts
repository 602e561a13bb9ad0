import type { MailSealing } from '../../messages/mail/mail-context.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { ClockGuard } from './clock-guard.ts'

/** The external dependencies of the lifetime run. */
export type LifetimeContext = MoneyContext & MailSealing & { readonly clockGuard: ClockGuard }

/** Fault points of the run, in the order in which they are passed for one server. */
export const LIFETIME_FAULTS = [
  'lifetime.page',
  'lifetime.locked',
  'lifetime.acted',
  'lifetime.looked',
  'lifetime.committed',
] as const
