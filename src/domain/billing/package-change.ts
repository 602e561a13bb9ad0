import { checkAct } from './lifetime.ts'
import { decideModification, type Modification, type ModificationRefusal } from './modification.ts'
import { isLess, type Money } from './money.ts'
import type { PaidSpan } from './paid-time.ts'

/** Every reason for refusing another package that its resize would not give, in the order in which they are checked. */
export const PACKAGE_REFUSALS = ['NOT_IN_PACKAGE', 'NOTHING_CHANGED', 'CHANGE_ALREADY_PAID'] as const
export type PackageRefusal =
  | ModificationRefusal
  | { readonly ok: false; readonly code: (typeof PACKAGE_REFUSALS)[number]; readonly missing?: Money }

/** A cheaper package that a server gets when its paid time in the present one ends. */
export type PackagePlan = {
  readonly packageId: string
  /** The price agreed when it was planned; a new price list does not change it. */
  readonly monthly: Money
  /** The end of the paid time when it was planned, or the start of the first period that was renewed at its price. */
  readonly fromMs: number
}

type PlannedServer = { readonly expiresAtMs: number; readonly plan: PackagePlan | null }

/** Whether a period at the plan's price is paid: then the change is settled, and only its day is still to come. */
export const isPlanPaid = ({ expiresAtMs, plan }: PlannedServer): boolean => plan !== null && expiresAtMs > plan.fromMs

/** When the planned package replaces the present one: paid time that was shortened since brings it forward. */
export const planStartMs = ({ fromMs }: PackagePlan, expiresAtMs: number): number => Math.min(fromMs, expiresAtMs)

/** The price of the next period. */
export const renewalMonthly = ({
  monthly,
  plan,
}: {
  readonly monthly: Money
  readonly plan?: PackagePlan | null
}): Money => plan?.monthly ?? monthly

/** The plan after a renewal whose period begins at `startMs`: from then on its price holds. */
export const planAfterRenewal = <Plan extends PackagePlan>(
  server: { readonly expiresAtMs: number; readonly plan: Plan | null },
  startMs: number,
): Plan | null => (server.plan === null || isPlanPaid(server) ? server.plan : { ...server.plan, fromMs: startMs })

/** Whether the present package is to be replaced now: the paid time in it has ended, and the new period is paid. */
export const isPlanDue = (server: PlannedServer, nowMs: number): boolean =>
  server.plan !== null && isPlanPaid(server) && server.plan.fromMs <= nowMs

export type PackageRequest = {
  readonly server: PlannedServer & {
    readonly isTest: boolean
    readonly packageId: string | null
    /** The price of the present package, as agreed when it was ordered or last changed. */
    readonly monthly: Money
    readonly spans: readonly PaidSpan[]
  }
  readonly wanted: { readonly packageId: string; readonly monthly: Money }
  readonly nowMs: number
  readonly available: Money
  /** The customer's premium discount, 0 without one. */
  readonly discountPercent: number
}

export type PackageChange =
  | (Modification & { readonly at: 'once' })
  | { readonly ok: true; readonly at: 'renewal'; readonly monthly: Money; readonly startsAtMs: number }

/** Whether a package replaces the present one at once: it costs more. Any other waits for the next renewal. */
export const appliesAtOnce = (present: Money, wanted: Money): boolean => isLess(present, wanted)

/**
 * Decides on another package of the same service. A package that costs more applies at once, for the difference of the prices
 * over the remaining time, like every upgrade. Any other package waits for the next renewal: nothing of the paid time is
 * refunded, so nobody can gain by going up and down.
 */
export function decidePackageChange(request: PackageRequest): PackageChange | PackageRefusal {
  const { server, wanted, nowMs } = request
  const code = refusalOf(request)
  if (code !== undefined) return { ok: false, code }
  if (appliesAtOnce(server.monthly, wanted.monthly)) {
    const upgrade = decideModification({ ...request, newMonthly: wanted.monthly, isSameSize: false })
    return upgrade.ok ? { ...upgrade, at: 'once' } : upgrade
  }
  // An expired server can still be renewed, and then begins in the cheaper package.
  const act = checkAct('renew', { expiresAtMs: server.expiresAtMs, nowMs })
  if (!act.ok) return act
  return { ok: true, at: 'renewal', monthly: wanted.monthly, startsAtMs: server.expiresAtMs }
}

function refusalOf({ server, wanted }: PackageRequest): PackageRefusal['code'] | undefined {
  if (server.isTest) return 'TEST_SERVER'
  if (server.packageId === null) return 'NOT_IN_PACKAGE'
  if (isPlanPaid(server)) return 'CHANGE_ALREADY_PAID'
  const next = server.plan?.packageId ?? server.packageId
  return wanted.packageId === next || wanted.packageId === server.packageId ? 'NOTHING_CHANGED' : undefined
}
