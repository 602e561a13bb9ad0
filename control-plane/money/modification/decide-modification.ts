import type { ResourceChoice } from '#contracts/http/service.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import {
  decideModification,
  fixedSizeFault,
  type Modification,
  type ModificationRefusal,
} from '#domain/billing/modification.ts'
import { add, forints, type Money } from '#domain/billing/money.ts'
import type { OrderRefusal } from '#domain/billing/order-refusal.ts'
import { missingFor, spendable } from '../wallet/debt.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import { priceWithoutCoupon } from '../orders/price-order.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { RenewableRow } from '../paid-time/lock-renewable.ts'
import { ownServer } from '../paid-time/own-server.ts'
import { premiumPercentOf } from '../premium/premium-store.ts'
import type { ServerRecord } from '../../servers/store/server-store.ts'
import { readHeldSpans, type HeldSpan } from '../paid-time/held-spans.ts'

export type ModifyRefusal =
  | ModificationRefusal
  | OrderRefusal
  | { readonly ok: false; readonly code: 'FORBIDDEN' | 'NOT_INSTALLED' | 'NO_CAPACITY'; readonly missing?: Money }

export type DecidedModification = {
  readonly ok: true
  /** The package that fixes the new size, or null. */
  readonly packageId: string | null
  readonly server: RenewableRow
  readonly record: ServerRecord
  readonly limits: Limits
  readonly held: readonly HeldSpan[]
  readonly modification: Modification
}

export type Wish = { readonly caller: Caller; readonly serverId: string; readonly resources: ResourceChoice }

/** A quote is not refused for insufficient balance: it shows the missing amount. */
export const ENOUGH = forints(1_000_000_000_000n)

/**
 * The current outcome of resizing the caller's server. In a transaction that writes, the server's row is locked
 * already.
 */
export async function decideOn(
  sql: Sql,
  { context, purpose }: { context: MoneyContext; purpose: 'quote' | 'change' },
  { caller, serverId, resources }: Wish,
): Promise<DecidedModification | ModifyRefusal> {
  const own = await ownServer(sql, caller, serverId)
  if (!own.ok) return own
  const { server, record } = own
  if (server.isBeingOrdered) return { ok: false, code: 'NOT_INSTALLED' }
  const fixed = fixedSizeFault(record)
  if (fixed) return fixed
  const now = { userId: caller.userId, nowMs: context.clock.now() }
  const priced = await priceWithoutCoupon(sql, { serviceId: record.serviceId, resources, months: 1 }, now)
  if (!priced.ok) return priced
  const { limits } = priced
  const { nowMs } = now
  const held = await readHeldSpans(sql, serverId, nowMs)
  const available = await spendable(context.ledgerOn(sql), caller.userId)
  const modification = decideModification({
    server: { ...server, spans: held.map(({ span }) => span) },
    newMonthly: priced.quote.pricePerMonth,
    isSameSize:
      record.cpuPercent === limits.cpuPercent &&
      record.memoryMiB === limits.memoryMiB &&
      record.storageMiB === limits.storageMiB,
    nowMs,
    discountPercent: await premiumPercentOf(sql, now),
    available: purpose === 'quote' ? ENOUGH : available,
  })
  if (modification.ok) return { ok: true, server, record, limits, packageId: null, held, modification }
  return withMissing(sql, context, { refusal: modification, caller, available })
}

/** A refusal for lack of money names the missing amount. A customer in debt may spend nothing, so all of the charge is missing. */
export async function withMissing<Refusal extends { readonly missing?: Money }>(
  sql: Sql,
  context: MoneyContext,
  { refusal, caller, available }: { refusal: Refusal; caller: Caller; available: Money },
): Promise<Refusal> {
  if (refusal.missing === undefined) return refusal
  const charge = add(refusal.missing, available)
  return { ...refusal, missing: await missingFor(context.ledgerOn(sql), caller.userId, charge) }
}
