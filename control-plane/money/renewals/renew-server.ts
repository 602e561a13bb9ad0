import type { RenewRequest } from '#contracts/http/renewal.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { renewalMonthly } from '#domain/billing/package-change.ts'
import { decideRenewal, renewalPrice, type Renewal, type RenewalRefusalCode } from '#domain/billing/renewal.ts'
import { missingFor, spendable } from '../wallet/debt.ts'
import type { KeyRefusal } from '../../platform/once-per-key.ts'
import { sellOnce } from '../sale/till.ts'
import { RENEWAL } from '../things/renewal.ts'
import { accessOf } from '../../servers/access/server-access.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { premiumPercentOf } from '../premium/premium-store.ts'
import { lockRenewable, type RenewableRow } from '../paid-time/lock-renewable.ts'
import { writeRenewal, type WrittenRenewal } from './write-renewal.ts'

export type RenewRefusal = {
  readonly ok: false
  readonly code:
    | RenewalRefusalCode
    | 'NOT_FOUND'
    | 'FORBIDDEN'
    | 'EMAIL_NOT_VERIFIED'
    | 'NOT_INSTALLED'
    | 'PRICE_CHANGED'
    | 'EXPIRY_CHANGED'
  /** For INSUFFICIENT_BALANCE the missing amount, for PRICE_CHANGED the price, in whole forints. */
  readonly priceFt?: bigint
}

export type RenewCommand = {
  readonly caller: Caller
  readonly serverId: string
  readonly request: RenewRequest
  readonly idempotencyKey: string
  readonly requestId: string
}

const refuse = (code: RenewRefusal['code'], priceFt?: bigint): RenewRefusal =>
  priceFt === undefined ? { ok: false, code } : { ok: false, code, priceFt }

/**
 * Renews a server for its owner in one transaction: charge, period, expiry, statement and news are written together or
 * not at all. A renewal within 72 h of the expiry reactivates the server; after that it is gone and nothing is charged.
 */
export async function renewServer(
  context: MoneyContext,
  command: RenewCommand,
): Promise<{ ok: true; answer: WrittenRenewal; replayed: boolean } | RenewRefusal | KeyRefusal> {
  const { caller, serverId, request, idempotencyKey: key } = command
  const asked = { thing: RENEWAL, userId: caller.userId, key, body: { serverId, request } }
  const result = await sellOnce<WrittenRenewal, RenewRefusal>(context, asked, (tx) => renewOnce(tx, context, command))
  if (result.ok) {
    const { renewalId } = result.answer
    context.log.info({ requestId: command.requestId, renewalId, serverId, replayed: result.replayed }, 'server renewed')
  }
  return result
}

async function renewOnce(
  tx: Sql,
  context: MoneyContext,
  command: RenewCommand,
): Promise<{ ok: true; answer: WrittenRenewal } | RenewRefusal> {
  const { caller, serverId, request, requestId } = command
  const access = await accessOf(tx, caller, serverId)
  if (!access) return refuse('NOT_FOUND')
  const server = await lockRenewable(tx, serverId)
  await context.faults('renewal.locked')
  if (!server) return refuse('NOT_FOUND')
  if (server.ownerId !== caller.userId) return refuse('FORBIDDEN')
  if (!caller.isVerified) return refuse('EMAIL_NOT_VERIFIED')
  const decided = await decide(tx, context, { server, months: request.months })
  const stale = refuseStale(server, decided, request)
  if (stale) return stale
  if (!decided.ok) return decided
  const { address, locale } = caller
  const result = await writeRenewal(tx, context, { server, renewal: decided, address, locale, requestId })
  return result.ok ? { ok: true, answer: result.written } : refuse('INSUFFICIENT_BALANCE', result.missing.minor)
}

/** The customer is charged what they saw: not another price nor, from a second page, another month. */
function refuseStale(
  server: RenewableRow,
  decided: Renewal | RenewRefusal,
  { expectedTotalFt, expiry }: RenewRequest,
): RenewRefusal | undefined {
  if (expiry !== undefined && Date.parse(expiry) !== server.expiresAtMs) return refuse('EXPIRY_CHANGED')
  if (!decided.ok || expectedTotalFt === undefined || BigInt(expectedTotalFt) === decided.total.minor) return undefined
  return refuse('PRICE_CHANGED', decided.total.minor)
}

/** The current decision on a renewal, with the owner's spendable balance. */
export async function decide(
  sql: Sql,
  context: MoneyContext,
  { server, months }: { server: RenewableRow; months: number },
): Promise<Renewal | RenewRefusal> {
  if (server.isBeingOrdered) return refuse('NOT_INSTALLED')
  const available = await spendable(context.ledgerOn(sql), server.ownerId)
  const nowMs = context.clock.now()
  const discountPercent = await premiumPercentOf(sql, { userId: server.ownerId, nowMs })
  const decided = decideRenewal({ server, months, nowMs, available, discountPercent })
  if (decided.ok || decided.code !== 'INSUFFICIENT_BALANCE') return decided.ok ? decided : refuse(decided.code)
  const { total } = renewalPrice(renewalMonthly(server), months, discountPercent)
  const missing = await missingFor(context.ledgerOn(sql), server.ownerId, total)
  return refuse(decided.code, missing.minor)
}
