import { divideRounded, isLess, money, subtract, times, type CurrencyCode, type Money } from './money.ts'
import { giveBack, paidInAll, type PaidSpan } from './paid-time.ts'
import { DAY_MS } from './period.ts'
import { withdrawalDeadlineMs } from './withdrawal-deadline.ts'

/**
 * The withdrawal function of directive (EU) 2023/2673 has two labelled steps: 'withdraw from contract here' names the contract and what
 * comes back, 'confirm withdrawal' is the customer's statement, which a mail acknowledges with its time. Who began in time may
 * confirm for a day, also when the last day ends in between.
 */
export const CONFIRM_WITHIN_MS = DAY_MS

/** What can be withdrawn from. A top-up is no service: what is left of it is refunded to its source by staff. */
export type WithdrawalSubject =
  | {
      readonly kind: 'order' | 'renewal' | 'premium'
      /** Of this contract alone. An upgrade of the server belongs to its order. */
      readonly spans: readonly PaidSpan[]
      /** Whether a renewal that was made later is still there; it is withdrawn from first. */
      readonly hasLaterRenewal: boolean
    }
  | { readonly kind: 'spins'; readonly bought: number; readonly unused: number; readonly paid: Money }

export type WithdrawalRequest = {
  readonly subject: WithdrawalSubject
  readonly isConsumer: boolean
  readonly wasWithdrawn: boolean
  readonly concludedAtMs: number
  /** When the first of the two steps was taken; now, at the first. */
  readonly begunAtMs: number
  readonly nowMs: number
  /** Whether the customer asked for the service to start at once, in the words that were recorded with the order. */
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
  /** What comes back to the customer, and what is kept for the time that was used. Together they are what was paid. */
  readonly back: Money
  readonly kept: Money
  /** Of the subject, in the same order, as they are afterwards: nothing of them is held any more. None of spins. */
  readonly spans: readonly PaidSpan[]
}

/**
 * Why there is no right to withdraw at all, whatever was paid; undefined where there may be one. Who began in time may confirm a little
 * later.
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
 * Decides on a withdrawal, for the first step and again for the second. Of a service that began at the customer's express wish the share
 * of the days that are over is kept, a begun day not counted; without that wish nothing is. Bought spins come back as far as they are
 * unused. Only an all used up purchase of spins has nothing to withdraw from.
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
 * How many of the free spins of a premium tier, `given` by it, were used: those that the customer does not have any more among the free
 * spins that are `left`, whoever gave these.
 */
export function spinsOfTier({ given, left }: { readonly given: number; readonly left: number }): {
  readonly used: number
  readonly unused: number
} {
  const unused = Math.min(given, left)
  return { used: given - unused, unused }
}

/**
 * Free spins that came with a premium tier and were used have been delivered: each is kept at the price of a bought one, so nobody
 * spins for nothing by buying and withdrawing in turn (decision 28).
 */
export function withoutUsedSpins(
  withdrawal: Withdrawal,
  used: { readonly count: number; readonly price: Money },
): Withdrawal {
  return keepMore(withdrawal, times(used.price, BigInt(Math.max(0, used.count))))
}

/**
 * A premium tier that is withdrawn from keeps its discounts that other purchases had and still have: who buys premium, shops and
 * withdraws would otherwise shop at its prices for nothing (decision 28). Never keeps more than would come back.
 */
export const withoutDiscounts = (withdrawal: Withdrawal, discounts: Money): Withdrawal =>
  keepMore(withdrawal, discounts)

function keepMore(withdrawal: Withdrawal, worth: Money): Withdrawal {
  const more = isLess(withdrawal.back, worth) ? withdrawal.back : worth
  const back = subtract(withdrawal.back, more)
  return { ...withdrawal, back, kept: money(withdrawal.kept.minor + more.minor, back.currency) }
}

/** The last full day of use: a day that has begun is not kept (decision 20). */
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

/** The expiry after the newest order or renewal was withdrawn from: its time ends now, or never began. In milliseconds since 1970. */
export const expiryAfterWithdrawal = (periodStartMs: number, nowMs: number): number => Math.max(periodStartMs, nowMs)
