import type { Caller } from '#contracts/internal-api/calls.ts'
import type { WithdrawalSubject } from '#contracts/http/withdrawal.ts'
import type { WithdrawalRefusal } from '#domain/billing/withdrawal.ts'
import type { MailSealing } from '../../messages/mail/mail-context.ts'
import type { MoneyContext } from '../ledger/money-context.ts'

/** The external dependencies of a withdrawal, which is acknowledged by mail. */
export type WithdrawalContext = MoneyContext & MailSealing

export type WithdrawRefusal =
  | WithdrawalRefusal
  | { readonly ok: false; readonly code: 'NOT_FOUND' | 'NOT_INSTALLED' | 'NOT_BEGUN' }
  | { readonly ok: false; readonly code: 'PRICE_CHANGED'; readonly backFt: bigint }

export type WithdrawalWish = { readonly caller: Caller; readonly subject: WithdrawalSubject }

export type ConfirmWithdrawal = WithdrawalWish & {
  /** The refund that the customer saw. */
  readonly expectedBackFt: number | undefined
  readonly idempotencyKey: string
  readonly requestId: string
}

/** Fault points of the second step, in the order in which they are passed. */
export const WITHDRAWAL_FAULTS = [
  'withdrawal.begin',
  'withdrawal.locked',
  'withdrawal.decided',
  'withdrawal.money-moved',
  'withdrawal.written',
  'withdrawal.ended',
  'withdrawal.told',
  'withdrawal.mailed',
  'withdrawal.committed',
] as const
