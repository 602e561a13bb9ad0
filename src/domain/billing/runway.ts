import { forints, type Money } from './money.ts'
import { BILLING_MONTH_MS, DAY_MS } from './period.ts'
import { AUTO_RENEWAL_LEAD_MS, renewalPrice } from './renewal.ts'

/** A server that is renewed month by month. Its price is the monthly list price; times are epoch milliseconds. */
export type RenewingServer = { readonly id: string; readonly monthly: Money; readonly expiresAtMs: number }

/** A discount on renewals until a given time; null without an end. */
export type RunningDiscount = { readonly percent: number; readonly untilMs: number | null }

/** A month of a server that is due at `atMs`, the end of the previous one. */
export type ComingCharge = {
  readonly serverId: string
  /** 0 for the month after the current one. */
  readonly round: number
  readonly atMs: number
  readonly amount: Money
}

/** The horizon of the forecast; a balance that lasts longer is reported as such. */
export const RUNWAY_HORIZON_MS = 3 * 365 * DAY_MS

const isLowered = ({ untilMs }: RunningDiscount, paidAtMs: number): boolean => untilMs === null || paidAtMs < untilMs

/**
 * Every month due until `untilMs`, soonest first, each at the price of its renewal at that time: a month is 30 x 24 h,
 * a discount counts at the time of the renewal, a day before. Overdue months are due now. Free servers are never due.
 */
export function comingCharges(
  servers: readonly RenewingServer[],
  { nowMs, untilMs, discount }: { nowMs: number; untilMs: number; discount: RunningDiscount | null },
): ComingCharge[] {
  const charges = servers.flatMap((server) => {
    const { id: serverId, monthly, expiresAtMs } = server
    if (monthly.minor <= 0n) return []
    const rounds = Math.floor((untilMs - expiresAtMs) / BILLING_MONTH_MS) + 1
    return Array.from({ length: Math.max(0, rounds) }, (_, round): ComingCharge => {
      const atMs = expiresAtMs + round * BILLING_MONTH_MS
      const paidAtMs = Math.max(nowMs, atMs - AUTO_RENEWAL_LEAD_MS)
      const percent = discount && isLowered(discount, paidAtMs) ? discount.percent : 0
      return { serverId, round, atMs, amount: renewalPrice(monthly, 1, percent).total }
    })
  })
  return charges.toSorted((a, b) => a.atMs - b.atMs || (a.serverId < b.serverId ? -1 : 1))
}

/**
 * The charges of the `others` before a server's own: everything due earlier, and of those due at the same time the
 * smaller ids, so that of two servers that one balance can pay only one is reported. `discountPercent` is the current
 * one.
 */
export function chargesBefore(
  { id, expiresAtMs }: Pick<RenewingServer, 'id' | 'expiresAtMs'>,
  others: readonly RenewingServer[],
  { nowMs, discountPercent }: { nowMs: number; discountPercent: number },
): Money {
  const discount = { percent: discountPercent, untilMs: null }
  const charges = comingCharges(
    others.filter((other) => other.id !== id),
    { nowMs, untilMs: expiresAtMs, discount },
  )
  const before = charges.filter(({ atMs, serverId }) => atMs < expiresAtMs || serverId < id)
  return forints(before.reduce((total, { amount }) => total + amount.minor, 0n))
}

/**
 * The spendable balance after a top-up of `extraFt`. A debt is paid first, and nothing can be spent before that. In
 * whole forints.
 */
export function spendableFt(account: { balanceFt: number; debtFt: number }, extraFt: number): number {
  const { balanceFt, debtFt } = account
  if (debtFt > extraFt) return 0
  return balanceFt + extraFt - debtFt
}

/**
 * The amount to top up before `totalFt` can be paid: first the debt, then the shortfall of the balance. 0 when it is
 * enough.
 */
export const missingFt = (account: { balanceFt: number; debtFt: number }, totalFt: number): number =>
  Math.max(account.debtFt, totalFt + account.debtFt - account.balanceFt)

export type Lasting =
  /** No server has a price. */
  | { readonly kind: 'nothing-due' }
  /** Everything is paid until this time, when `missing` is short for the server's month. */
  | { readonly kind: 'until'; readonly atMs: number; readonly serverId: string; readonly missing: Money }
  /** Longer than the horizon. */
  | { readonly kind: 'beyond'; readonly atMs: number }

/** Until when a balance pays for everything, if every server is renewed for a month each time. */
export function lastsUntil(
  spendable: Money,
  servers: readonly RenewingServer[],
  { nowMs, discount }: { nowMs: number; discount: RunningDiscount | null },
): Lasting {
  const untilMs = nowMs + RUNWAY_HORIZON_MS
  if (!servers.some(({ monthly }) => monthly.minor > 0n)) return { kind: 'nothing-due' }
  let left = spendable.minor
  for (const { serverId, atMs, amount } of comingCharges(servers, { nowMs, untilMs, discount })) {
    left -= amount.minor
    if (left < 0n) return { kind: 'until', atMs: Math.max(nowMs, atMs), serverId, missing: forints(-left) }
  }
  return { kind: 'beyond', atMs: untilMs }
}
