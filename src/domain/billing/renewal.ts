import { percentOf } from './discount.ts'
import { lifetimePhase } from './lifetime.ts'
import { allocate, subtract, times, type Money } from './money.ts'
import { spansOfMonths, type PaidSpan } from './paid-time.ts'
import { renewalMonthly, type PackagePlan } from './package-change.ts'
import { BILLING_MONTH_MS, DAY_MS, isRentableMonths, paidPeriod, type Period } from './period.ts'

export const RENEWAL_REFUSALS = [
  'MONTHS_INVALID',
  'TEST_SERVER',
  'SERVER_DELETED',
  'NOT_RENEWABLE',
  'INSUFFICIENT_BALANCE',
] as const
export type RenewalRefusalCode = (typeof RENEWAL_REFUSALS)[number]
export type RenewalRefusal = {
  readonly ok: false
  readonly code: RenewalRefusalCode
  /** For INSUFFICIENT_BALANCE: the shortfall. */
  readonly missing?: Money
}

export type RenewableServer = {
  readonly id: string
  readonly isTest: boolean
  readonly expiresAtMs: number
  /** When its owner was notified of the expiry, as in `lifetimePhase`: a server that still exists can be renewed. */
  readonly toldAtMs?: number | null
  /** The price agreed when it was ordered or last modified; a new price list does not change it. */
  readonly monthly: Money
  /** The cheaper package that the next period begins; none by default. */
  readonly plan?: PackagePlan | null
  /** Withdrawn renewals of this expiry; none by default. */
  readonly withdrawnRenewals?: number
}

export type RenewalRequest = {
  readonly server: RenewableServer
  readonly months: unknown
  readonly nowMs: number
  readonly available: Money
  /** The customer's premium discount, 0 without one. */
  readonly discountPercent: number
}

export type Renewal = {
  readonly ok: true
  /** One charge per period: the key is unique for ever and does not contain the current time (T30). */
  readonly key: string
  readonly period: Period
  readonly months: number
  readonly subtotal: Money
  readonly discount: Money
  readonly total: Money
  readonly spans: readonly PaidSpan[]
}

/**
 * The key of the one charge for the period that starts at a server's old expiry. `withdrawn` renewals of the same
 * period were undone before it; each of them allows one more.
 */
export const renewalKey = (serverId: string, periodStartMs: number, withdrawn = 0): string =>
  `renew:${serverId}:${periodStartMs}${withdrawn === 0 ? '' : `:${withdrawn}`}`

/**
 * The end of a shortened paid time: the latest time before `wantedMs` at which no renewed period that remains in force
 * starts, for a later renewal of any number of months. A period has one charge, so such a renewal could not be made.
 */
export function freeEndMs(wantedMs: number, standingStartsMs: readonly number[]): number {
  const meets = (endMs: number): boolean =>
    standingStartsMs.some((startMs) => startMs >= endMs && (startMs - endMs) % BILLING_MONTH_MS === 0)
  let endMs = wantedMs
  while (meets(endMs)) endMs -= 1
  return endMs
}

export type RenewalPrice = { readonly subtotal: Money; readonly discount: Money; readonly total: Money }

/** The price of a number of months: the discount is rounded once, on the total. */
export function renewalPrice(monthly: Money, months: number, discountPercent: number): RenewalPrice {
  const subtotal = times(monthly, BigInt(months))
  const discount = percentOf(subtotal, discountPercent)
  return { subtotal, discount, total: subtract(subtotal, discount) }
}

/**
 * Decides on a renewal for 1 to 6 months (specification section 9). The new time extends the old expiry, also within
 * the 72 h after it, so that neither a late nor an early payment gains or loses a day. Test servers are not renewed,
 * and neither are periods that cost nothing, with or without a discount: they have no charge that could be unique.
 * 'renewal with insufficient balance' reports the missing amount.
 */
export function decideRenewal(request: RenewalRequest): Renewal | RenewalRefusal {
  const { server, months, nowMs, available } = request
  if (!isRentableMonths(months)) return { ok: false, code: 'MONTHS_INVALID' }
  if (server.isTest) return { ok: false, code: 'TEST_SERVER' }
  if (lifetimePhase(server.expiresAtMs, nowMs, server.toldAtMs) === 'to-delete') {
    return { ok: false, code: 'SERVER_DELETED' }
  }
  const monthly = renewalMonthly(server)
  const price = renewalPrice(monthly, months, request.discountPercent)
  if (price.total.minor <= 0n) return { ok: false, code: 'NOT_RENEWABLE' }
  const after = subtract(available, price.total)
  if (after.minor < 0n) return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: subtract(price.total, available) }
  const paidByMonth = allocate(
    price.total,
    Array.from({ length: months }, () => 1n),
  )
  return {
    ok: true,
    key: renewalKey(server.id, server.expiresAtMs, server.withdrawnRenewals),
    period: paidPeriod(server.expiresAtMs, months),
    months,
    ...price,
    spans: spansOfMonths({ startMs: server.expiresAtMs, monthly, paidByMonth }),
  }
}

/** Automatic renewal is tried from this long before the expiry, so that a failure leaves a day to top up. */
export const AUTO_RENEWAL_LEAD_MS = DAY_MS

export type AutoRenewal =
  | { readonly act: 'nothing'; readonly why: 'off' | 'not-renewable' }
  /** `isPaid`: the current balance is enough for it on its day, so the owner has nothing to do (decision 24). */
  | { readonly act: 'nothing'; readonly why: 'not-yet'; readonly isPaid: boolean }
  | { readonly act: 'renew'; readonly renewal: Renewal }
  | {
      readonly act: 'tell'
      readonly missing: Money
      /** The customer is notified once per period. */
      readonly key: string
    }

export type AutoRenewalRequest = RenewalRequest & {
  readonly isOn: boolean
  /** The price of the owner's other automatic renewals before this one; nothing by default. */
  readonly promised?: Money
}

/**
 * A run's action for one server: nothing, renew it, or tell the customer the missing amount. Without enough balance it
 * retries in each run.
 */
export function decideAutoRenewal(request: AutoRenewalRequest): AutoRenewal {
  const { server, nowMs } = request
  if (!request.isOn) return { act: 'nothing', why: 'off' }
  if (nowMs < server.expiresAtMs - AUTO_RENEWAL_LEAD_MS) {
    const { available, promised } = request
    const left = promised ? subtract(available, promised) : available
    return { act: 'nothing', why: 'not-yet', isPaid: decideRenewal({ ...request, available: left }).ok }
  }
  const renewal = decideRenewal(request)
  if (renewal.ok) return { act: 'renew', renewal }
  if (renewal.missing === undefined) return { act: 'nothing', why: 'not-renewable' }
  return { act: 'tell', missing: renewal.missing, key: `renew-missing:${server.id}:${server.expiresAtMs}` }
}
