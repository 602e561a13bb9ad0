import { checkAct } from './lifetime.ts'
import { divideRounded, isLess, money, subtract, type Money } from './money.ts'
import { giveBack, spanOfUpgrade, type PaidSpan } from './paid-time.ts'
import { BILLING_MONTH_MS, remainingDays } from './period.ts'

/** Every reason for refusing a resize, in the order in which they are checked. */
export const MODIFICATION_REFUSALS = [
  'IN_PACKAGE',
  'TEST_SERVER',
  'SERVER_EXPIRED',
  'SERVER_DELETED',
  'NOTHING_CHANGED',
  'INSUFFICIENT_BALANCE',
] as const
export type ModificationRefusal = {
  readonly ok: false
  readonly code: (typeof MODIFICATION_REFUSALS)[number]
  /** For INSUFFICIENT_BALANCE: the shortfall. */
  readonly missing?: Money
}

export type ModificationRequest = {
  readonly server: {
    readonly isTest: boolean
    readonly expiresAtMs: number
    /** The monthly list price of its current size, as agreed when it was ordered or last modified. */
    readonly monthly: Money
    readonly spans: readonly PaidSpan[]
  }
  /** The monthly list price of the new size, from the catalog. */
  readonly newMonthly: Money
  /** Whether every resource stays the same; the price alone does not show it. */
  readonly isSameSize: boolean
  readonly nowMs: number
  readonly available: Money
  /** The customer's premium discount, 0 without one. */
  readonly discountPercent: number
}

export type Modification = {
  readonly ok: true
  /** Remaining days, rounded up, for display. The price uses the exact time. */
  readonly days: number
  /** The charge; 0 for a downgrade. */
  readonly charge: Money
  /** The refund; 0 for an upgrade. */
  readonly back: Money
  readonly monthly: Money
  readonly spans: readonly PaidSpan[]
}

/** Refuses every resize of a server, before there is a price: a package fixes its sizes. */
export const fixedSizeFault = ({
  packageId,
}: {
  readonly packageId: string | null
}): ModificationRefusal | undefined => (packageId === null ? undefined : { ok: false, code: 'IN_PACKAGE' })

/**
 * An upgrade's price: difference of the monthly prices x remaining time / 30 days, less the premium discount, rounded
 * once. `leftMs` are milliseconds.
 */
export function upgradeCharge(difference: Money, leftMs: number, discountPercent: number): Money {
  const paidPercent = BigInt(100 - discountPercent)
  const numerator = difference.minor * BigInt(leftMs) * paidPercent
  return money(divideRounded(numerator, BigInt(BILLING_MONTH_MS) * 100n), difference.currency)
}

/**
 * Decides on a resize for the rest of the paid time (specification section 9). The expiry stays, so no new period is
 * charged (T36). An upgrade costs the difference; a downgrade refunds the unused part of the actual payments for the
 * given-up part (T27), which without discounts is the difference of the prices. Servers in a package are refused
 * earlier: `fixedSizeFault`.
 */
export function decideModification(request: ModificationRequest): Modification | ModificationRefusal {
  const { server, newMonthly, nowMs, available } = request
  const code = refusalOf(request)
  if (code !== undefined) return { ok: false, code }
  const { expiresAtMs, spans } = server
  const days = remainingDays(expiresAtMs, nowMs)
  const zero = money(0n, newMonthly.currency)
  const base = { ok: true, days, monthly: newMonthly } as const
  if (isLess(server.monthly, newMonthly)) {
    const charge = upgradeCharge(subtract(newMonthly, server.monthly), expiresAtMs - nowMs, request.discountPercent)
    if (isLess(available, charge))
      return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: subtract(charge, available) }
    const added = spanOfUpgrade({ nowMs, expiresAtMs, from: server.monthly, to: newMonthly, paid: charge })
    return { ...base, charge, back: zero, spans: [...spans, added] }
  }
  const back = giveBack(spans, { downTo: newMonthly, nowMs })
  return { ...base, charge: zero, back: back.amount, spans: back.spans }
}

function refusalOf({ server, isSameSize, nowMs }: ModificationRequest): ModificationRefusal['code'] | undefined {
  if (server.isTest) return 'TEST_SERVER'
  const act = checkAct('modify', { expiresAtMs: server.expiresAtMs, nowMs })
  if (!act.ok) return act.code
  return isSameSize ? 'NOTHING_CHANGED' : undefined
}
