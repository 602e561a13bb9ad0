import type { Ledger } from '../ledger/ledger.ts'
import type { PaymentProviders } from './payment-provider.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** What payments need of the outside world. `ledgerOn` opens the ledger inside the caller's transaction. */
export type PaymentContext = Context & {
  readonly ledgerOn: (sql: Sql) => Ledger
  readonly providers: PaymentProviders
  /** The most that a wallet may be topped up to; any amount when absent. */
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
/** Of a refund to its source, in the order in which they are passed. */
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
/** Of one that was reported as sent and came back. */
export const REFUND_RETURNED_FAULTS = ['refund.returned'] as const
/** Of a payment that a bank takes back. */
export const CHARGEBACK_FAULTS = ['chargeback.lost', 'chargeback.claimed', 'chargeback.written'] as const
/** Of one that it gives back after all. */
export const DISPUTE_WON_FAULTS = ['chargeback.given-back'] as const
