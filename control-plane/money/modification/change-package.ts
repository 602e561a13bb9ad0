import type { PackageChangeRequest } from '#contracts/http/package-change.ts'
import type { PackageRow } from '#contracts/cms-api/rows.ts'
import { isPlanPaid, type PackageRefusal } from '#domain/billing/package-change.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { ownServer } from '../paid-time/own-server.ts'
import type { KeyRefusal } from '../../platform/once-per-key.ts'
import { sellOnce } from '../sale/till.ts'
import { hasRoomFor } from '../../servers/placement/room.ts'
import { MODIFICATION } from '../things/modification.ts'
import { withMissing, type ModifyRefusal } from './decide-modification.ts'
import { decideOnPackage, limitsOf, readPackageFacts, type PackageFacts } from './decide-package.ts'
import { makeChange, type ModifyCommand } from './modify-server.ts'
import { writePlan } from './planned-package.ts'

export type ChangePackageCommand = Omit<ModifyCommand, 'request'> & { readonly request: PackageChangeRequest }
export type PackageChangeRefusal =
  PackageRefusal | ModifyRefusal | { readonly ok: false; readonly code: 'PACKAGE_UNAVAILABLE' }
/** `startsAtMs` is the time of the change in epoch milliseconds. */
export type ChangedPackage = {
  readonly at: 'once' | 'renewal'
  readonly packageId: string
  readonly chargeFt: number
  readonly monthlyFt: number
  readonly startsAtMs: number
}
type Done = { readonly ok: true; readonly answer: ChangedPackage }

/**
 * Puts a server into another package of its service, in one transaction: at once for the difference, as a modification, or at the
 * next renewal. The key is one of modifications.
 */
export async function changePackage(
  context: MoneyContext,
  command: ChangePackageCommand,
): Promise<(Done & { replayed: boolean }) | PackageChangeRefusal | KeyRefusal> {
  const { caller, serverId, request, idempotencyKey: key, requestId } = command
  const asked = { thing: MODIFICATION, userId: caller.userId, key, body: { serverId, package: request } }
  const result = await sellOnce<ChangedPackage, PackageChangeRefusal>(context, asked, (tx) =>
    changeOnce(tx, context, command),
  )
  if (result.ok) context.log.info({ requestId, serverId, ...result.answer }, 'package of a server changed')
  return result
}

async function changeOnce(
  tx: Sql,
  context: MoneyContext,
  command: ChangePackageCommand,
): Promise<Done | PackageChangeRefusal> {
  const { caller, serverId, request } = command
  await lockInOrder(tx, { server: serverId })
  const facts = await readPackageFacts(tx, context, { caller, serverId })
  if (!facts.ok) return facts
  const wanted = facts.packages.find(({ id }) => id === request.packageId)
  // A package of another service is as unknown as one that does not exist.
  if (!wanted || !wanted.orderable || !facts.isOffered) return { ok: false, code: 'PACKAGE_UNAVAILABLE' }
  if (request.expectedMonthlyFt !== undefined && request.expectedMonthlyFt !== wanted.price_per_month_ft) {
    return { ok: false, code: 'PRICE_CHANGED', params: { price: String(wanted.price_per_month_ft) } }
  }
  const change = decideOnPackage(facts, wanted, 'change')
  if (!change.ok) return withMissing(tx, context, { refusal: change, caller, available: facts.available })
  if (change.at === 'renewal') return plan(tx, context, { command, facts, wanted })
  const { server, record, held } = facts
  const decided = {
    ok: true,
    server,
    record,
    held,
    modification: change,
    limits: limitsOf(wanted),
    packageId: wanted.id,
  } as const
  const made = await makeChange(tx, context, { command, decided, expectedChargeFt: request.expectedChargeFt })
  if (!made.ok) return made
  // The plan was made for the package that the server has left.
  if (server.plan !== null) await writePlan(tx, serverId, null)
  const { chargeFt, monthlyFt } = made.answer
  return { ok: true, answer: { at: 'once', packageId: wanted.id, chargeFt, monthlyFt, startsAtMs: facts.nowMs } }
}

type Planning = { readonly command: ChangePackageCommand; readonly facts: PackageFacts; readonly wanted: PackageRow }

async function plan(
  tx: Sql,
  context: MoneyContext,
  { command, facts, wanted }: Planning,
): Promise<Done | PackageChangeRefusal> {
  const { caller, serverId } = command
  if (!caller.isVerified) return { ok: false, code: 'EMAIL_NOT_VERIFIED' }
  if (!(await hasRoomFor(tx, facts.record, limitsOf(wanted)))) return { ok: false, code: 'NO_CAPACITY' }
  const { userId, address, way } = caller
  const { expiresAtMs: fromMs } = facts.server
  const monthly = { minor: BigInt(wanted.price_per_month_ft), currency: 'HUF' } as const
  await writePlan(tx, serverId, { packageId: wanted.id, monthly, limits: limitsOf(wanted), fromMs })
  const monthlyFt = wanted.price_per_month_ft
  const detail = { packageId: wanted.id, monthlyFt }
  await recordActivity(tx, context, {
    userId,
    serverId,
    address,
    way,
    type: 'server.package-planned',
    status: 'success',
    detail,
  })
  return { ok: true, answer: { at: 'renewal', packageId: wanted.id, chargeFt: 0, monthlyFt, startsAtMs: fromMs } }
}

/** Cancels a planned change that is not paid yet; without one nothing happens. */
export async function keepPackage(
  context: MoneyContext,
  { caller, serverId }: Pick<ModifyCommand, 'caller' | 'serverId'>,
): Promise<
  { readonly ok: true } | { readonly ok: false; readonly code: 'NOT_FOUND' | 'FORBIDDEN' | 'CHANGE_ALREADY_PAID' }
> {
  return context.db.transaction(async (tx) => {
    await lockInOrder(tx, { server: serverId })
    const own = await ownServer(tx, caller, serverId)
    if (!own.ok) return own
    if (own.server.plan === null) return { ok: true } as const
    if (isPlanPaid(own.server)) return { ok: false, code: 'CHANGE_ALREADY_PAID' } as const
    await writePlan(tx, serverId, null)
    const { userId, address, way } = caller
    const done = { type: 'server.package-kept', status: 'success' } as const
    await recordActivity(tx, context, { userId, serverId, address, way, ...done })
    return { ok: true } as const
  })
}
