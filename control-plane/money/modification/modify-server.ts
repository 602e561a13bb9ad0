import type { ModificationRequest } from '#contracts/http/modification.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import { bucketsGivenBack } from '#domain/billing/paid-buckets.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { assert } from '#domain/kernel/assert.ts'
import { announceBalance, recordActivity } from '../../messages/notices/notify-user.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { resizeServer } from '../../servers/placement/resize-server.ts'
import { hasRoomFor } from '../../servers/placement/room.ts'
import { modificationGivenBack } from '../ledger/give-back-postings.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { writeHeldSpans } from '../paid-time/held-spans.ts'
import type { KeyRefusal } from '../../platform/once-per-key.ts'
import { correctDocuments, partsOfSpans, recordSalesGivenBack, type GivenBackSales } from '../sale/sale-given-back.ts'
import { sell, sellOnce } from '../sale/till.ts'
import { storedTax, taxOfCustomer } from '../tax/tax-of-sale.ts'
import { MODIFICATION } from '../things/modification.ts'
import { payDebt } from '../wallet/debt.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { decideOn, type DecidedModification, type ModifyRefusal } from './decide-modification.ts'

export type ModifyCommand = {
  readonly caller: Caller
  readonly serverId: string
  readonly request: ModificationRequest
  readonly idempotencyKey: string
  readonly requestId: string
}
export type Modified = {
  readonly modificationId: string
  readonly chargeFt: number
  readonly backFt: number
  readonly monthlyFt: number
}

/** Fault points in the order in which they are passed. */
export const MODIFICATION_FAULTS = [
  'modification.begin',
  'modification.decided',
  'modification.money-moved',
  'modification.spans-written',
  'modification.server-written',
  'modification.told',
  'modification.committed',
] as const

/**
 * Resizes a server for the rest of its paid time, in one transaction, so that the desired size and the payment always
 * agree. The update is repeated until the node accepts it; the old size is kept until then, and is restored with a
 * refund if the node rejects the new one (decision 33).
 */
export async function modifyServer(
  context: MoneyContext,
  command: ModifyCommand,
): Promise<{ ok: true; answer: Modified; replayed: boolean } | ModifyRefusal | KeyRefusal> {
  const { caller, serverId, request, idempotencyKey: key } = command
  const asked = { thing: MODIFICATION, userId: caller.userId, key, body: { serverId, request } }
  const result = await sellOnce<Modified, ModifyRefusal>(context, asked, (tx) => modifyOnce(tx, context, command))
  if (result.ok) context.log.info({ requestId: command.requestId, serverId, ...result.answer }, 'server modified')
  return result
}

/** A decided change for a caller, of which `expectedChargeFt` is the sum that the customer saw. */
export type ChangeToMake = {
  readonly command: Pick<ModifyCommand, 'caller' | 'serverId' | 'requestId'>
  readonly decided: DecidedModification
  readonly expectedChargeFt: number | undefined
}

type Step = Pick<ChangeToMake, 'command' | 'decided'> & {
  readonly modificationId: string
  readonly tax: TaxRule
  readonly sales: GivenBackSales
}

async function modifyOnce(
  tx: Sql,
  context: MoneyContext,
  command: ModifyCommand,
): Promise<{ ok: true; answer: Modified } | ModifyRefusal> {
  const { caller, serverId, request } = command
  await lockInOrder(tx, { server: serverId })
  const decided = await decideOn(tx, { context, purpose: 'change' }, { caller, serverId, resources: request.resources })
  if (!decided.ok) return decided
  return makeChange(tx, context, { command, decided, expectedChargeFt: request.expectedChargeFt })
}

/** Carries out a decided change on the server's locked row: of its resources, or to a dearer package. */
export async function makeChange(
  tx: Sql,
  context: MoneyContext,
  { command, decided, expectedChargeFt }: ChangeToMake,
): Promise<{ ok: true; answer: Modified } | ModifyRefusal> {
  const { caller, requestId } = command
  if (!caller.isVerified) return { ok: false, code: 'EMAIL_NOT_VERIFIED' }
  const { charge, back, monthly } = decided.modification
  const price = charge.minor - back.minor
  if (expectedChargeFt !== undefined && BigInt(expectedChargeFt) !== price) {
    return { ok: false, code: 'PRICE_CHANGED', params: { price: price.toString() } }
  }
  if (!(await hasRoomFor(tx, decided.record, decided.limits))) return { ok: false, code: 'NO_CAPACITY' }
  await context.faults('modification.decided')
  const modificationId = context.ids.next()
  const tax = await taxOfCustomer(tx, { userId: caller.userId, atMs: context.clock.now() })
  const step = { command, decided, modificationId, tax, sales: salesGivenBack(decided, modificationId) }
  const done = charge.minor > 0n ? await sellMore(tx, context, step) : await giveBack(tx, context, step)
  if (!done.ok) return done
  await correctDocuments(tx, context, { ...step.sales, reason: REASON, requestId })
  const answer = {
    modificationId,
    monthlyFt: Number(monthly.minor),
    chargeFt: Number(charge.minor),
    backFt: Number(back.minor),
  }
  return { ok: true, answer }
}

/** The refund of a downgrade, split over the sales that paid for the time. */
const salesGivenBack = ({ held, modification }: DecidedModification, modificationId: string): GivenBackSales => ({
  parts: partsOfSpans(held, modification.spans),
  cause: { type: 'modification', id: modificationId },
})

/** The reason on the document of the refund. */
const REASON: LocalizedText = {
  en: 'Smaller resources for the rest of the paid time',
  hu: 'Kisebb erőforrások a kifizetett idő hátralévő részére',
  de: 'Kleinere Ressourcen für den Rest der bezahlten Zeit',
}

/** An upgrade costs money, and is sold like everything else. */
async function sellMore(tx: Sql, context: MoneyContext, step: Step): Promise<{ ok: true } | ModifyRefusal> {
  const { command, decided, modificationId: id, tax } = step
  const { caller: buyer, serverId, requestId } = command
  const { charge: total } = decided.modification
  const facts = { product: decided.server.product }
  const sale = { thing: MODIFICATION, id, facts, total, tax, buyer, serverId, requestId }
  const deliver = (holdId: string | null) => writeChange(tx, context, { ...step, holdId })
  const sold = await sell(tx, context, { sale, deliver })
  return sold.ok ? { ok: true } : { ok: false, code: 'INSUFFICIENT_BALANCE', missing: sold.missing }
}

/** A downgrade refunds money to the buckets that paid for each span; a resize at the same price moves none. */
async function giveBack(tx: Sql, context: MoneyContext, step: Step): Promise<{ ok: true }> {
  const { command, decided, modificationId, sales } = step
  const { serverId, requestId } = command
  const { userId, address, way } = command.caller
  const { back } = decided.modification
  const reason = `Change of ${decided.server.product.en}`
  if (back.minor > 0n) {
    const split = await recordSalesGivenBack(tx, context, sales)
    const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: `user:${userId}`, requestId }
    const given = { userId, reason, ...backOf(decided), split, modificationId }
    const posted = await context.ledgerOn(tx).post(modificationGivenBack(origin, given))
    assert(posted.ok, 'What was paid can be given back.')
    await payDebt(tx, context, { documentId: modificationId, userId, requestId })
  }
  await context.faults('modification.money-moved')
  await writeChange(tx, context, { ...step, holdId: null })
  const detail = { modificationId, chargeFt: 0, backFt: Number(back.minor) }
  const done = { type: 'server.modified', status: 'success', detail } as const
  await recordActivity(tx, context, { userId, serverId, address, way, ...done })
  if (back.minor > 0n) {
    await writeStatementLine(tx, context, {
      userId,
      type: 'server modification',
      paymentType: 'balance',
      status: 'finished',
      amountFt: back.minor,
      reason,
      document: { kind: 'modification', id: modificationId },
    })
    const { available: balance } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
    await announceBalance(tx, context, { userId, type: 'refund', change: back, balance, requestId })
  }
  await context.faults('modification.told')
  return { ok: true }
}

const backOf = ({ held, modification }: DecidedModification): Buckets =>
  bucketsGivenBack(
    held.map(({ span }) => span),
    modification.spans,
    'HUF',
  )

/** Writes the change itself, the paid time that it splits, and the new size for the node. */
async function writeChange(tx: Sql, context: MoneyContext, step: Step & { holdId: string | null }): Promise<void> {
  const { command, decided, modificationId } = step
  const { serverId, requestId } = command
  const { held: before, modification, record: server, limits, packageId } = decided
  await insertModification(tx, context, step)
  await writeHeldSpans(tx, context, { serverId, modificationId, before, after: modification.spans })
  await context.faults('modification.spans-written')
  const { monthly } = modification
  const generation = await resizeServer(tx, context, { server, limits, packageId, monthly, requestId })
  await tx.query('update control.modifications set generation = $2 where id = $1', [modificationId, generation])
  await context.faults('modification.server-written')
}

async function insertModification(
  tx: Sql,
  { clock }: MoneyContext,
  { command, decided, modificationId, tax, holdId }: Step & { holdId: string | null },
): Promise<void> {
  const { server, record, limits, modification } = decided
  const given = backOf(decided)
  const { cpuPercent, memoryMiB, storageMiB } = record
  await tx.query(
    `insert into control.modifications (id, server_id, user_id, hold_id, from_monthly_ft, to_monthly_ft, days, charge_ft,
       back_money_ft, back_bonus_ft, from_limits, to_limits, locale, request_id, created_at, tax, from_package_id, to_package_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      modificationId,
      server.id,
      server.ownerId,
      holdId,
      server.monthly.minor.toString(),
      modification.monthly.minor.toString(),
      modification.days,
      modification.charge.minor.toString(),
      given.money.minor.toString(),
      given.bonus.minor.toString(),
      JSON.stringify({ cpuPercent, memoryMiB, storageMiB }),
      JSON.stringify(limits),
      command.caller.locale,
      command.requestId,
      new Date(clock.now()),
      JSON.stringify(storedTax(tax)),
      record.packageId,
      decided.packageId,
    ],
  )
}
