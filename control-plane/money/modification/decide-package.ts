import type { Caller } from '#contracts/internal-api/calls.ts'
import type { PackageRow } from '#contracts/cms-api/rows.ts'
import { decidePackageChange, type PackageChange, type PackageRefusal } from '#domain/billing/package-change.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { readPackages, readService } from '../../cms/catalog-reader.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import type { ServerRecord } from '../../servers/store/server-store.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { readHeldSpans, type HeldSpan } from '../paid-time/held-spans.ts'
import type { RenewableRow } from '../paid-time/lock-renewable.ts'
import { ownServer } from '../paid-time/own-server.ts'
import { premiumPercentOf } from '../premium/premium-store.ts'
import { spendable } from '../wallet/debt.ts'
import { ENOUGH } from './decide-modification.ts'

/**
 * The facts from which a change of the package is decided. In a transaction that writes, the server's row is locked
 * already.
 */
export type PackageFacts = {
  readonly ok: true
  readonly server: RenewableRow
  readonly record: ServerRecord
  readonly held: readonly HeldSpan[]
  /** The packages of the server's service, from the cheapest to the dearest. */
  readonly packages: readonly PackageRow[]
  /** Whether the service is offered at all. */
  readonly isOffered: boolean
  readonly discountPercent: number
  /** The amount that the customer can spend. */
  readonly available: Money
  readonly nowMs: number
}

export const limitsOf = ({ cpu_percent, memory_mib, storage_mib }: PackageRow): Limits => ({
  cpuPercent: cpu_percent,
  memoryMiB: memory_mib,
  storageMiB: storage_mib,
})

export async function readPackageFacts(
  sql: Sql,
  context: MoneyContext,
  { caller, serverId }: { caller: Caller; serverId: string },
): Promise<PackageFacts | { readonly ok: false; readonly code: 'NOT_FOUND' | 'FORBIDDEN' | 'NOT_INSTALLED' }> {
  const own = await ownServer(sql, caller, serverId)
  if (!own.ok) return own
  const { server, record } = own
  if (server.isBeingOrdered) return { ok: false, code: 'NOT_INSTALLED' }
  const nowMs = context.clock.now()
  const service = await readService(sql, record.serviceId)
  const all = await readPackages(sql)
  return {
    ok: true,
    server,
    record,
    held: await readHeldSpans(sql, serverId, nowMs),
    packages: all.filter((each) => each.service_id === record.serviceId),
    isOffered: service?.orderable === true,
    discountPercent: await premiumPercentOf(sql, { userId: caller.userId, nowMs }),
    available: await spendable(context.ledgerOn(sql), caller.userId),
    nowMs,
  }
}

/** The decision on one package. A quote is not refused for insufficient balance: it shows the missing amount. */
export function decideOnPackage(
  { server, record, held, discountPercent, available, nowMs }: PackageFacts,
  wanted: PackageRow,
  purpose: 'quote' | 'change',
): PackageChange | PackageRefusal {
  return decidePackageChange({
    server: { ...server, packageId: record.packageId, spans: held.map(({ span }) => span) },
    wanted: { packageId: wanted.id, monthly: forints(BigInt(wanted.price_per_month_ft)) },
    nowMs,
    discountPercent,
    available: purpose === 'quote' ? ENOUGH : available,
  })
}
