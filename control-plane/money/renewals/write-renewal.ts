import type { Locale } from '#contracts/locale.ts'
import type { Renewal } from '#domain/billing/renewal.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { splitVat } from '#domain/billing/vat.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Money } from '#domain/billing/money.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { storedTax, taxOfCustomer } from '../tax/tax-of-sale.ts'
import { invoiceOfRenewal } from '../invoices/invoice-requests.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import type { Origin } from '../ledger/postings.ts'
import { priceCaptured, priceHeld, type PriceMoney } from '../ledger/price-postings.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { changeSpec } from '../../servers/store/server-store.ts'
import type { RenewableRow } from '../paid-time/lock-renewable.ts'
import { writePaidSpans } from '../paid-time/paid-spans.ts'

export type RenewalToWrite = {
  readonly server: RenewableRow
  readonly renewal: Renewal
  /** Undefined for one that nobody asked for at this moment. */
  readonly address: string | undefined
  readonly locale: Locale
  readonly requestId: string
}

export type WrittenRenewal = { readonly renewalId: string; readonly totalFt: number; readonly periodEndMs: number }
type Missing = { readonly ok: false; readonly missing: Money }

/**
 * Charges a renewal and writes everything that follows from it in the caller's transaction, on the server's locked row. The ledger has
 * the last word on the balance: `missing` is answered before anything was written, and afterwards nothing may refuse any more.
 */
export async function writeRenewal(
  tx: Sql,
  context: MoneyContext,
  wanted: RenewalToWrite,
): Promise<{ readonly ok: true; readonly written: WrittenRenewal } | Missing> {
  const renewalId = context.ids.next()
  const { server, renewal } = wanted
  const tax = await taxOfCustomer(tx, { userId: server.ownerId, atMs: context.clock.now() })
  const charge = chargeOf(context, { wanted, renewalId, tax })
  const held = await setAside(tx, context, charge)
  if (!held.ok) return held
  await insertRenewal(tx, context, { wanted, renewalId, tax, holdId: held.holdId })
  await writePaidSpans(tx, context, { serverId: server.id, source: { renewalId }, spans: renewal.spans })
  await context.faults('renewal.renewal-written')
  await extendServer(tx, context, wanted)
  await context.faults('renewal.server-written')
  await writeStatementLine(tx, context, {
    userId: server.ownerId,
    type: 'renewal',
    paymentType: 'balance',
    amountFt: -renewal.total.minor,
    status: 'finished',
    reason: reasonOf(wanted),
    document: { kind: 'renewal', id: renewalId },
  })
  await context.faults('renewal.statement-written')
  await tell(tx, context, { wanted, renewalId })
  await context.faults('renewal.told')
  // The last two: every other sale waits for the accounts of the house and for the next number until this transaction ends.
  await take(tx, context, { charge, holdId: held.holdId })
  const facts = { ...{ userId: server.ownerId, performedAtMs: context.clock.now(), tax }, ...localeAndRequest(wanted) }
  const sold = {
    ...{ id: renewalId, product: server.product },
    ...{ months: renewal.months, totalFt: renewal.total.minor },
  }
  await issueInvoice(tx, context, invoiceOfRenewal(facts, sold))
  const totalFt = Number(renewal.total.minor)
  return { ok: true, written: { renewalId, totalFt, periodEndMs: renewal.period.endMs } }
}

const localeAndRequest = ({ locale, requestId }: RenewalToWrite) => ({ locale, requestId })

const reasonOf = ({ server }: RenewalToWrite): string => `Renewal of ${server.product.en}`

type Charge = { readonly money: PriceMoney; readonly originOf: () => Origin }

function chargeOf(
  context: MoneyContext,
  { wanted, renewalId, tax }: { wanted: RenewalToWrite; renewalId: string; tax: TaxRule },
): Charge {
  const { server, renewal, requestId, address } = wanted
  const atMs = context.clock.now()
  const actor = address === undefined ? 'system' : `user:${server.ownerId}`
  const originOf = () => ({ id: context.ids.next(), atMs, actor, requestId })
  const money: PriceMoney = {
    ref: { type: 'renewal', id: renewalId },
    key: renewal.key,
    userId: server.ownerId,
    total: renewal.total,
    rateBasisPoints: tax.rateBasisPoints,
    reason: reasonOf(wanted),
  }
  return { money, originOf }
}

async function setAside(
  tx: Sql,
  context: MoneyContext,
  { money, originOf }: Charge,
): Promise<{ readonly ok: true; readonly holdId: string } | Missing> {
  const held = await context.ledgerOn(tx).placeHold(priceHeld(originOf(), money))
  if (!held.ok) {
    assert(held.code === 'INSUFFICIENT_BALANCE', 'A period is charged once: under the lock its key is new.')
    return { ok: false, missing: held.missing }
  }
  await context.faults('renewal.held')
  return { ok: true, holdId: held.id }
}

async function take(
  tx: Sql,
  context: MoneyContext,
  { charge: { money, originOf }, holdId }: { charge: Charge; holdId: string },
): Promise<void> {
  const captured = await context.ledgerOn(tx).capture(priceCaptured(originOf(), { ...money, kind: 'renewal', holdId }))
  assert(captured.ok, `The hold of a renewal is open: ${captured.ok ? '' : captured.code}`)
  await context.faults('renewal.captured')
}

async function insertRenewal(
  tx: Sql,
  { clock }: MoneyContext,
  { wanted, renewalId, tax, holdId }: { wanted: RenewalToWrite; renewalId: string; tax: TaxRule; holdId: string },
): Promise<void> {
  const { server, renewal, address, locale, requestId } = wanted
  const { net, vat } = splitVat(renewal.total, tax.rateBasisPoints)
  await tx.query(
    `insert into control.renewals (id, server_id, user_id, hold_id, automatic, period_start, period_end, months, monthly_ft,
       discount_ft, total_ft, net_ft, vat_ft, product, locale, request_id, created_at, tax, immediate_start)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, true)`,
    [
      renewalId,
      server.id,
      server.ownerId,
      holdId,
      address === undefined,
      new Date(renewal.period.startMs),
      new Date(renewal.period.endMs),
      renewal.months,
      server.monthly.minor.toString(),
      renewal.discount.minor.toString(),
      renewal.total.minor.toString(),
      net.minor.toString(),
      vat.minor.toString(),
      JSON.stringify(server.product),
      locale,
      requestId,
      new Date(clock.now()),
      JSON.stringify(storedTax(tax)),
    ],
  )
}

/** The new expiry reaches the node with a higher generation. What the expiry stopped runs again. */
async function extendServer(
  tx: Sql,
  context: MoneyContext,
  { server, renewal, requestId }: RenewalToWrite,
): Promise<void> {
  await tx.query(
    `update control.servers set expires_at = $2, stopped_by_expiry = false,
       desired_power = case when stopped_by_expiry then 'running' else desired_power end where id = $1`,
    [server.id, new Date(renewal.period.endMs)],
  )
  await changeSpec(tx, server.id, {})
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId: server.id }, requestId })
}

async function tell(
  tx: Sql,
  context: MoneyContext,
  { wanted, renewalId }: { wanted: RenewalToWrite; renewalId: string },
): Promise<void> {
  const { server, renewal, address, locale, requestId } = wanted
  const { ownerId: userId, id: serverId } = server
  const totalFt = Number(renewal.total.minor)
  await recordActivity(tx, context, {
    ...{ userId, serverId, status: 'success', detail: { renewalId, totalFt, months: renewal.months } },
    ...(address === undefined ? { type: 'server.auto-renewed' } : { type: 'server.renewed', address }),
  })
  const { available } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  await announceBalance(tx, context, { userId, type: 'renewal', change: renewal.total, balance: available, requestId })
  const data = { sid: serverId, product: server.product[locale], amount: totalFt }
  await notifyUser(tx, context, { userId, text: 'purchase.success', data, requestId })
}
