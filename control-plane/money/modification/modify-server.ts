import type { ModificationRequest } from '#contracts/http/modification.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import { add } from '#domain/billing/money.ts'
import { bucketsGivenBack } from '#domain/billing/paid-buckets.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { assert } from '#domain/kernel/assert.ts'
import { chargeAtOnce } from '../sale/charge-at-once.ts'
import { payDebt } from '../wallet/debt.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../sale/once-per-key.ts'
import { correctDocuments, partsOfSpans, recordSalesGivenBack, type GivenBackSales } from '../sale/sale-given-back.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { storedTax, taxOfCustomer } from '../tax/tax-of-sale.ts'
import { invoiceOfModification } from '../invoices/invoice-requests.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import { modificationGivenBack } from '../ledger/give-back-postings.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { decideOn, type DecidedModification, type ModifyRefusal } from './decide-modification.ts'
import { writeHeldSpans } from '../paid-time/held-spans.ts'
import { resizeServer } from '../../servers/placement/resize-server.ts'
import { hasRoomFor } from '../../servers/placement/room.ts'

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

/** Where a crash matters, in the order in which they are passed. */
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
 * Gives a server other resources for the rest of its paid time, in one transaction: what is wanted of the node and what was paid for it
 * cannot differ. A node that does not take it is asked again; the old size is never lost on the way, and comes back with the money
 * where the node never takes the new one (decision 33).
 */
export async function modifyServer(
  context: MoneyContext,
  command: ModifyCommand,
): Promise<{ ok: true; answer: Modified; replayed: boolean } | ModifyRefusal | KeyRefusal> {
  const { caller, serverId, request, idempotencyKey: key } = command
  const result = await context.db.transaction((tx) => {
    const body = { serverId, request }
    const keyed = { scope: 'modification', userId: caller.userId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<Modified, ModifyRefusal>(tx, keyed, () => modifyOnce(tx, context, command))
  })
  await context.faults('modification.committed')
  if (result.ok) context.log.info({ requestId: command.requestId, serverId, ...result.answer }, 'server modified')
  return result
}

async function modifyOnce(
  tx: Sql,
  context: MoneyContext,
  command: ModifyCommand,
): Promise<{ ok: true; answer: Modified } | ModifyRefusal> {
  const { caller, serverId, request } = command
  await context.faults('modification.begin')
  await tx.query('select 1 from control.servers where id = $1 for no key update', [serverId])
  const decided = await decideOn(tx, { context, purpose: 'change' }, { caller, serverId, resources: request.resources })
  if (!decided.ok) return decided
  if (!caller.isVerified) return { ok: false, code: 'EMAIL_NOT_VERIFIED' }
  const { charge, back, monthly } = decided.modification
  const price = charge.minor - back.minor
  if (request.expectedChargeFt !== undefined && BigInt(request.expectedChargeFt) !== price) {
    return { ok: false, code: 'PRICE_CHANGED', params: { price: price.toString() } }
  }
  if (!(await hasRoomFor(tx, decided.record, decided.limits))) return { ok: false, code: 'NO_CAPACITY' }
  await context.faults('modification.decided')
  const modificationId = context.ids.next()
  const tax = await taxOfCustomer(tx, { userId: caller.userId, atMs: context.clock.now() })
  const sales = salesGivenBack(decided, modificationId)
  const step = { command, decided, modificationId, tax, sales }
  const moved = await moveMoney(tx, context, step)
  if (!moved.ok) return moved
  await context.faults('modification.money-moved')
  const { held: before, modification } = decided
  await writeHeldSpans(tx, context, { serverId, modificationId, before, after: modification.spans })
  await context.faults('modification.spans-written')
  const { record: server, limits } = decided
  const generation = await resizeServer(tx, context, { server, limits, monthly, requestId: command.requestId })
  await tx.query('update control.modifications set generation = $2 where id = $1', [modificationId, generation])
  await context.faults('modification.server-written')
  await tell(tx, context, step)
  await context.faults('modification.told')
  if (charge.minor > 0n) await invoice(tx, context, step)
  await correctDocuments(tx, context, { ...sales, reason: REASON, requestId: command.requestId })
  const answer = {
    ...{ modificationId, monthlyFt: Number(monthly.minor) },
    ...{ chargeFt: Number(charge.minor), backFt: Number(back.minor) },
  }
  return { ok: true, answer }
}

/** Last: everybody else's invoices wait for this transaction from here on. */
async function invoice(tx: Sql, context: MoneyContext, { command, decided, modificationId, tax }: Step): Promise<void> {
  const { caller, requestId } = command
  const facts = { userId: caller.userId, locale: caller.locale, requestId, performedAtMs: context.clock.now(), tax }
  const { server, modification } = decided
  const sold = { id: modificationId, product: server.product, totalFt: modification.charge.minor }
  await issueInvoice(tx, context, invoiceOfModification(facts, sold))
}

type Step = {
  readonly command: ModifyCommand
  readonly decided: DecidedModification
  readonly modificationId: string
  readonly tax: TaxRule
  readonly sales: GivenBackSales
}

/** What a smaller size gives back, of the sales that paid for the time. */
const salesGivenBack = ({ held, modification }: DecidedModification, modificationId: string): GivenBackSales => ({
  parts: partsOfSpans(held, modification.spans),
  cause: { type: 'modification', id: modificationId },
})

/** On the document of what is given back. */
const REASON: LocalizedText = {
  en: 'Smaller resources for the rest of the paid time',
  hu: 'Kisebb erőforrások a kifizetett idő hátralévő részére',
  de: 'Kleinere Ressourcen für den Rest der bezahlten Zeit',
}

const reasonOf = ({ server }: DecidedModification): string => `Change of ${server.product.en}`

async function moveMoney(tx: Sql, context: MoneyContext, step: Step): Promise<{ ok: true } | ModifyRefusal> {
  const { command, decided, modificationId, tax, sales } = step
  const { caller, requestId } = command
  const { charge, back } = decided.modification
  const base = { userId: caller.userId, reason: reasonOf(decided) }
  let holdId: string | null = null
  if (charge.minor > 0n) {
    const ref = { type: 'modification', id: modificationId } as const
    const charged = await chargeAtOnce(tx, context, {
      ...{ ...base, ref, kind: 'modification', key: `modify:${modificationId}`, requestId },
      ...{ total: charge, rateBasisPoints: tax.rateBasisPoints },
    })
    if (!charged.ok) return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: charged.missing }
    holdId = charged.holdId
  }
  // Each span gives back what it was paid with.
  const paid = decided.held.map(({ span }) => span)
  const given = bucketsGivenBack(paid, decided.modification.spans, 'HUF')
  if (back.minor > 0n) {
    const split = await recordSalesGivenBack(tx, context, sales)
    const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: `user:${caller.userId}`, requestId }
    const posted = await context
      .ledgerOn(tx)
      .post(modificationGivenBack(origin, { ...base, ...given, split, modificationId }))
    assert(posted.ok, 'What was paid can be given back.')
    await payDebt(tx, context, { documentId: modificationId, userId: caller.userId, requestId })
  }
  await insertModification(tx, context, { ...step, holdId, given })
  return { ok: true }
}

async function insertModification(
  tx: Sql,
  { clock }: MoneyContext,
  { command, decided, modificationId, tax, holdId, given }: Step & { holdId: string | null; given: Buckets },
): Promise<void> {
  const { server, record, limits, modification } = decided
  const { cpuPercent, memoryMiB, storageMiB } = record
  await tx.query(
    `insert into control.modifications (id, server_id, user_id, hold_id, from_monthly_ft, to_monthly_ft, days, charge_ft,
       back_money_ft, back_bonus_ft, from_limits, to_limits, locale, request_id, created_at, tax)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
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
    ],
  )
}

async function tell(tx: Sql, context: MoneyContext, { command, decided, modificationId }: Step): Promise<void> {
  const { caller, serverId, requestId } = command
  const { userId, address, locale } = caller
  const { charge, back } = decided.modification
  await recordActivity(tx, context, {
    ...{ userId, serverId, address, type: 'server.modified', status: 'success' },
    detail: { modificationId, chargeFt: Number(charge.minor), backFt: Number(back.minor) },
  })
  const change = add(charge, back)
  if (change.minor === 0n) return
  await writeStatementLine(tx, context, {
    ...{ userId, type: 'server modification', paymentType: 'balance', status: 'finished' },
    amountFt: back.minor - charge.minor,
    reason: reasonOf(decided),
    document: { kind: 'modification', id: modificationId },
  })
  const { available: balance } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  const type = charge.minor > 0n ? 'modification' : 'refund'
  await announceBalance(tx, context, { userId, type, change, balance, requestId })
  if (charge.minor === 0n) return
  const data = { sid: serverId, product: decided.server.product[locale], amount: Number(charge.minor) }
  await notifyUser(tx, context, { userId, text: 'purchase.success', data, requestId })
}
