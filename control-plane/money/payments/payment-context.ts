import type { Ledger } from '../ledger/ledger.ts'
import type { PaymentProviders } from './payment-provider.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** The external dependencies of payments. `ledgerOn` opens the ledger inside the caller's transaction. */
export type PaymentContext = Context & {
  readonly ledgerOn: (sql: Sql) => Ledger
  readonly providers: PaymentProviders
  /** The maximum balance after a top-up; unlimited when absent. */
  readonly maximumBalanceFt?: bigint | undefined
}

export const TOP_UP_FAULTS = [
  'topup.begin',
  'topup.written',
  'topup.recorded',
  'topup.opened',
  'topup.committed',
] as const
export const SETTLE_PAYMENT_FAULTS = [
  'payment-settle.begin',
  'payment-settle.fetched',
  'payment-settle.locked',
  'payment-settle.state-written',
  'payment-settle.notified',
  'payment-settle.money-moved',
  'payment-settle.invoiced',
  'payment-settle.committed',
] as const
/** Fault points of a refund, in the order in which they are passed. */
export const REFUND_FAULTS = [
  'refund.begin',
  'refund.money-moved',
  'refund.written',
  'refund.recorded',
  'refund.asked',
  'refund.locked',
  'refund.booked',
  'refund.committed',
] as const
/** Those of a completed refund that the bank sent back. */
export const REFUND_RETURNED_FAULTS = ['refund.returned'] as const
/** Those of a charge-back. */
export const CHARGEBACK_FAULTS = ['chargeback.lost', 'chargeback.claimed', 'chargeback.written'] as const
/** Those of a won dispute. */
export const DISPUTE_WON_FAULTS = ['chargeback.given-back'] as const
