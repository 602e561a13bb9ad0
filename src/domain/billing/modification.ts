import { checkAct } from './lifetime.ts'
import { divideRounded, isLess, money, subtract, type Money } from './money.ts'
import { giveBack, spanOfUpgrade, type PaidSpan } from './paid-time.ts'
import { BILLING_MONTH_MS, remainingDays } from './period.ts'

/** Every reason for which a change of resources is refused, in the order in which they are checked. */
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
  /** For INSUFFICIENT_BALANCE: what the balance lacks. */
  readonly missing?: Money
}

export type ModificationRequest = {
  readonly server: {
    readonly isTest: boolean
    readonly expiresAtMs: number
    /** The monthly list price of its present size, as agreed when it was ordered or last modified. */
    readonly monthly: Money
    readonly spans: readonly PaidSpan[]
  }
  /** The monthly list price of the new size, from the catalog. */
  readonly newMonthly: Money
  /** Whether every resource stays as it is; the price alone does not tell. */
  readonly isSameSize: boolean
  readonly nowMs: number
  readonly available: Money
  /** The customer's premium discount, 0 without one. */
  readonly discountPercent: number
}

export type Modification = {
  readonly ok: true
  /** Days that are left, a begun one counted whole: what is shown. The price goes by the exact time. */
  readonly days: number
  /** What is taken now; 0 when the new size costs no more. */
  readonly charge: Money
  /** What is given back now; 0 when the new size costs no less. */
  readonly back: Money
  readonly monthly: Money
  readonly spans: readonly PaidSpan[]
}

/** What refuses every other size of a server, asked before there is a price: the sizes of a package are the package's. */
export const fixedSizeFault = ({
  packageId,
}: {
  readonly packageId: string | null
}): ModificationRefusal | undefined => (packageId === null ? undefined : { ok: false, code: 'IN_PACKAGE' })

/**
 * An upgrade's price: difference of the monthly prices x remaining time / 30 days, less the premium discount, rounded once. `leftMs` are
 * milliseconds.
 */
export function upgradeCharge(difference: Money, leftMs: number, discountPercent: number): Money {
  const paidPercent = BigInt(100 - discountPercent)
  const numerator = difference.minor * BigInt(leftMs) * paidPercent
  return money(divideRounded(numerator, BigInt(BILLING_MONTH_MS) * 100n), difference.currency)
}

/**
 * Decides on other resources for the rest of the paid time (specification section 9). The expiry stays, so no new period is charged
 * (T36). Larger costs the difference; smaller gives back the unused part of what was actually paid for what is given up (T27), which is
 * the difference of the prices where nothing was discounted. Servers in a package are not asked about: `fixedSizeFault`.
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
