import { divideRounded, isLess, money, subtract, times, type CurrencyCode, type Money } from './money.ts'
import { giveBack, paidInAll, type PaidSpan } from './paid-time.ts'
import { DAY_MS } from './period.ts'
import { withdrawalDeadlineMs } from './withdrawal-deadline.ts'

/**
 * The withdrawal function of directive (EU) 2023/2673 has two labelled steps: 'withdraw from contract here' shows the
 * contract and the refund, 'confirm withdrawal' is the customer's statement, which a mail acknowledges with its time. A
 * customer who began in time may confirm within a day, even if the last day ends in between.
 */
export const CONFIRM_WITHIN_MS = DAY_MS

/** Contracts that can be withdrawn from. A top-up is not a service: staff refund its rest to its source. */
export type WithdrawalSubject =
  | {
      readonly kind: 'order' | 'renewal' | 'premium'
      /** Only of this contract. An upgrade of the server belongs to its order. */
      readonly spans: readonly PaidSpan[]
      /** Whether there is a later renewal, which has to be withdrawn from first. */
      readonly hasLaterRenewal: boolean
    }
  | { readonly kind: 'spins'; readonly bought: number; readonly unused: number; readonly paid: Money }

export type WithdrawalRequest = {
  readonly subject: WithdrawalSubject
  readonly isConsumer: boolean
  readonly wasWithdrawn: boolean
  readonly concludedAtMs: number
  /** The time of the first step; now, in the first step. */
  readonly begunAtMs: number
  readonly nowMs: number
  /** Whether the customer asked for an immediate start, in the words recorded with the order. */
  readonly askedForImmediateStart: boolean
  readonly currency: CurrencyCode
  readonly holidays?: readonly string[]
}

export const WITHDRAWAL_REFUSALS = [
  'ALREADY_WITHDRAWN',
  'NOT_A_CONSUMER',
  'WITHDRAWAL_TOO_LATE',
  'LATER_RENEWAL_FIRST',
  'NOTHING_LEFT',
] as const
export type WithdrawalRefusal = { readonly ok: false; readonly code: (typeof WITHDRAWAL_REFUSALS)[number] }

export type Withdrawal = {
  readonly ok: true
  readonly deadlineMs: number
  /** The refund, and the part kept for the used time. Their sum is the payment. */
  readonly back: Money
  readonly kept: Money
  /** The subject's spans in the same order, as they are afterwards: none of them is held any more. Empty for spins. */
  readonly spans: readonly PaidSpan[]
}

/**
 * Why there is no right of withdrawal, whatever was paid; undefined if there may be one. A customer who began in time
 * may confirm a little later.
 */
export function withdrawalFault(
  request: Pick<
    WithdrawalRequest,
    'isConsumer' | 'wasWithdrawn' | 'concludedAtMs' | 'begunAtMs' | 'nowMs' | 'holidays'
  >,
): WithdrawalRefusal | undefined {
  const { nowMs, begunAtMs } = request
  if (request.wasWithdrawn) return { ok: false, code: 'ALREADY_WITHDRAWN' }
  if (!request.isConsumer) return { ok: false, code: 'NOT_A_CONSUMER' }
  const deadlineMs = withdrawalDeadlineMs(request.concludedAtMs, request.holidays)
  const wasBegunInTime = begunAtMs < deadlineMs && nowMs - begunAtMs <= CONFIRM_WITHIN_MS
  return nowMs >= deadlineMs && !wasBegunInTime ? { ok: false, code: 'WITHDRAWAL_TOO_LATE' } : undefined
}

/**
 * Decides on a withdrawal, for both steps. If the service began at the customer's express request, the share of the
 * passed days is kept, not counting a partial day; otherwise nothing is kept. Unused bought spins are refunded. Only a
 * fully used purchase of spins cannot be withdrawn from.
 */
export function decideWithdrawal(request: WithdrawalRequest): Withdrawal | WithdrawalRefusal {
  const { subject, nowMs } = request
  const fault = withdrawalFault(request)
  if (fault) return fault
  const deadlineMs = withdrawalDeadlineMs(request.concludedAtMs, request.holidays)
  if (subject.kind === 'spins') return withdrawSpins(subject, deadlineMs)
  if (subject.hasLaterRenewal) return { ok: false, code: 'LATER_RENEWAL_FIRST' }
  const { currency } = request
  const paid = paidInAll(subject.spans, currency)
  const usedUpToMs = wholeDaysUsed(subject.spans, nowMs)
  const { amount: back, spans } = request.askedForImmediateStart
    ? giveBack(subject.spans, { downTo: money(0n, currency), nowMs: usedUpToMs })
    : { amount: paid, spans: subject.spans.map(wholeBack) }
  return { ok: true, deadlineMs, back, kept: subtract(paid, back), spans }
}

const wholeBack = (span: PaidSpan): PaidSpan => ({ ...span, heldMonthly: span.fromMonthly, returned: span.paid })

/**
 * How many of the `given` free spins of a premium tier were used: those no longer covered by the customer's remaining
 * free spins `left`, whatever their origin.
 */
export function spinsOfTier({ given, left }: { readonly given: number; readonly left: number }): {
  readonly used: number
  readonly unused: number
} {
  const unused = Math.min(given, left)
  return { used: given - unused, unused }
}

/**
 * Used free spins of a premium tier have been delivered: each is kept at the price of a bought one, so that nobody
 * spins for free by alternately buying and withdrawing (decision 28).
 */
export function withoutUsedSpins(
  withdrawal: Withdrawal,
  used: { readonly count: number; readonly price: Money },
): Withdrawal {
  return keepMore(withdrawal, times(used.price, BigInt(Math.max(0, used.count))))
}

/**
 * A withdrawal from a premium tier keeps its discounts on other purchases that are still in force: otherwise a customer
 * could buy premium, shop at its prices and withdraw (decision 28). Never keeps more than the refund.
 */
export const withoutDiscounts = (withdrawal: Withdrawal, discounts: Money): Withdrawal =>
  keepMore(withdrawal, discounts)

function keepMore(withdrawal: Withdrawal, worth: Money): Withdrawal {
  const more = isLess(withdrawal.back, worth) ? withdrawal.back : worth
  const back = subtract(withdrawal.back, more)
  return { ...withdrawal, back, kept: money(withdrawal.kept.minor + more.minor, back.currency) }
}

/** The last full day of use: a partial day is not kept (decision 20). */
function wholeDaysUsed(spans: readonly PaidSpan[], nowMs: number): number {
  const startMs = Math.min(nowMs, ...spans.map((span) => span.startMs))
  return startMs + Math.floor((nowMs - startMs) / DAY_MS) * DAY_MS
}

type Spins = Extract<WithdrawalSubject, { kind: 'spins' }>

function withdrawSpins({ bought, unused, paid }: Spins, deadlineMs: number): Withdrawal | WithdrawalRefusal {
  if (unused <= 0) return { ok: false, code: 'NOTHING_LEFT' }
  const share = divideRounded(paid.minor * BigInt(Math.min(unused, bought)), BigInt(bought))
  const back = money(share, paid.currency)
  return { ok: true, deadlineMs, back, kept: subtract(paid, back), spans: [] }
}

/**
 * The expiry after a withdrawal from the newest order or renewal: its time ends now, or never began. In epoch
 * milliseconds.
 */
export const expiryAfterWithdrawal = (periodStartMs: number, nowMs: number): number => Math.max(periodStartMs, nowMs)
