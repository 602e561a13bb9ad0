import type { PackageOffer, ServerPackages } from '#contracts/http/package-change.ts'
import type { PackageRow } from '#contracts/cms-api/rows.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Locale } from '#contracts/locale.ts'
import { isPlanPaid, planStartMs } from '#domain/billing/package-change.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { remainingDays } from '#domain/billing/period.ts'
import { renewalPrice } from '#domain/billing/renewal.ts'
import { hasRoomFor } from '../../servers/placement/room.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { missingFor } from '../wallet/debt.ts'
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
  const others = facts.packages.filter(({ id }) => id !== record.packageId)
  const offers: PackageOffer[] = []
  for (const each of others) {
    if (each.orderable)
      offers.push(await offerOf(context, facts, { wanted: each, locale, userId: asking.caller.userId }))
  }
  const { available } = await context.ledgerOn(context.db).userBalance(asking.caller.userId, 'HUF')
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
      offers,
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

async function offerOf(
  context: MoneyContext,
  facts: PackageFacts,
  { wanted, locale, userId }: { wanted: PackageRow; locale: Locale; userId: string },
): Promise<PackageOffer> {
  const change = decideOnPackage(facts, wanted, 'quote')
  const monthly = forints(BigInt(wanted.price_per_month_ft))
  const isDearer = monthly.minor > facts.server.monthly.minor
  const charge = change.ok && change.at === 'once' ? change.charge : forints(0n)
  const missing = charge.minor > 0n ? await missingFor(context.ledgerOn(context.db), userId, charge) : charge
  return {
    packageId: wanted.id,
    name: wanted.name[locale],
    resources: resourcesOf(limitsOf(wanted)),
    monthlyFt: ft(monthly),
    at: isDearer ? 'once' : 'renewal',
    chargeFt: ft(charge),
    renewalFt: monthOf(monthly, facts),
    missingFt: ft(missing),
    obstacle: await obstacleOf(context, facts, {
      wanted,
      isRefused: !change.ok && change.code === 'SERVER_EXPIRED',
      isDearer,
    }),
  }
}

async function obstacleOf(
  context: MoneyContext,
  { record, isOffered }: PackageFacts,
  { wanted, isRefused, isDearer }: { wanted: PackageRow; isRefused: boolean; isDearer: boolean },
): Promise<PackageOffer['obstacle']> {
  if (!isOffered) return 'not-offered'
  if (isRefused) return 'expired'
  if (isDearer && !(await hasRoomFor(context.db, record, limitsOf(wanted)))) return 'no-capacity'
  return null
}
