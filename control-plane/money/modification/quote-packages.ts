import type { PackageOffer, ServerPackages } from '#contracts/http/package-change.ts'
import type { PackageRow } from '#contracts/cms-api/rows.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Locale } from '#contracts/locale.ts'
import { appliesAtOnce, isPlanPaid, planStartMs } from '#domain/billing/package-change.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { remainingDays } from '#domain/billing/period.ts'
import { renewalPrice } from '#domain/billing/renewal.ts'
import { fitsIn, readRoomOf } from '../../servers/placement/room.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { missingFt } from '#domain/billing/runway.ts'
import type { NodeRoom } from '#domain/servers/placement.ts'
import { readDebtFt } from '../wallet/debt.ts'
import { decideOnPackage, limitsOf, readPackageFacts, type PackageFacts } from './decide-package.ts'

type Asking = { readonly caller: Caller; readonly serverId: string }
type Refusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'FORBIDDEN' | 'NOT_INSTALLED' | 'NOT_IN_PACKAGE' | 'TEST_SERVER'
}

const ft = (amount: Money): number => Number(amount.minor)
const iso = (ms: number): string => new Date(ms).toISOString()
const resourcesOf = ({ cpuPercent, memoryMiB: ramMiB, storageMiB }: Limits) => ({ cpuPercent, ramMiB, storageMiB })

/** The package of a server and the others that it could get, each with its charge and its next renewal. Nothing changes. */
export async function quotePackages(
  context: MoneyContext,
  asking: Asking,
): Promise<{ readonly ok: true; readonly packages: ServerPackages } | Refusal> {
  const facts = await readPackageFacts(context.db, context, asking)
  if (!facts.ok) return facts
  const { server, record } = facts
  if (server.isTest) return { ok: false, code: 'TEST_SERVER' }
  if (record.packageId === null) return { ok: false, code: 'NOT_IN_PACKAGE' }
  const { locale } = asking.caller
  const nameOf = (id: string) => facts.packages.find((each) => each.id === id)?.name[locale] ?? server.product[locale]
  const ledger = context.ledgerOn(context.db)
  const { available } = await ledger.userBalance(asking.caller.userId, 'HUF')
  const debtFt = Number(await readDebtFt(ledger, asking.caller.userId))
  const customer = { locale, balanceFt: ft(available), debtFt, room: await readRoomOf(context.db, record) }
  const others = facts.packages.filter(({ id, orderable }) => orderable && id !== record.packageId)
  const { plan, expiresAtMs, monthly } = server
  return {
    ok: true,
    packages: {
      present: {
        packageId: record.packageId,
        name: nameOf(record.packageId),
        resources: resourcesOf(record),
        monthlyFt: ft(monthly),
        renewalFt: monthOf(monthly, facts),
      },
      offers: others.map((wanted) => offerOf(facts, wanted, customer)),
      planned: plan && {
        packageId: plan.packageId,
        name: nameOf(plan.packageId),
        monthlyFt: ft(plan.monthly),
        startsAt: iso(planStartMs(plan, expiresAtMs)),
        isPaid: isPlanPaid(server),
      },
      days: remainingDays(expiresAtMs, facts.nowMs),
      balanceFt: ft(available),
      expiry: iso(expiresAtMs),
    },
  }
}

const monthOf = (monthly: Money, { discountPercent }: PackageFacts): number =>
  ft(renewalPrice(monthly, 1, discountPercent).total)

type Customer = {
  readonly locale: Locale
  readonly balanceFt: number
  readonly debtFt: number
  readonly room: NodeRoom | undefined
}

function offerOf(facts: PackageFacts, wanted: PackageRow, customer: Customer): PackageOffer {
  const change = decideOnPackage(facts, wanted, 'quote')
  const monthly = forints(BigInt(wanted.price_per_month_ft))
  const chargeFt = change.ok && change.at === 'once' ? ft(change.charge) : 0
  return {
    packageId: wanted.id,
    name: wanted.name[customer.locale],
    resources: resourcesOf(limitsOf(wanted)),
    monthlyFt: ft(monthly),
    at: appliesAtOnce(facts.server.monthly, monthly) ? 'once' : 'renewal',
    chargeFt,
    renewalFt: monthOf(monthly, facts),
    missingFt: chargeFt > 0 ? missingFt(customer, chargeFt) : 0,
    obstacle: obstacleOf(facts, {
      wanted,
      room: customer.room,
      isExpired: !change.ok && change.code === 'SERVER_EXPIRED',
    }),
  }
}

function obstacleOf(
  { record, isOffered }: PackageFacts,
  { wanted, room, isExpired }: { wanted: PackageRow; room: NodeRoom | undefined; isExpired: boolean },
): PackageOffer['obstacle'] {
  if (!isOffered) return 'not-offered'
  if (isExpired) return 'expired'
  // A cheaper package may be the larger one in memory or in storage.
  return fitsIn(room, record, limitsOf(wanted)) ? null : 'no-capacity'
}
