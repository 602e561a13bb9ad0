import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Locale } from '#contracts/locale.ts'
import type { Money } from '#domain/billing/money.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { assert } from '#domain/kernel/assert.ts'
import { tellAtOnce } from '../../messages/notices/tell-at-once.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { together } from '#platform/postgres/together.ts'
import { invoiceOfSale } from '../invoices/invoice-requests.ts'
import { prepareInvoice, type ReadyInvoice } from '../invoices/issue-invoice.ts'
import { noteLock } from '../ledger/lock-order.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { priceCaptured, priceHeld } from '../ledger/price-postings.ts'
import type { SaleFacts, SoldThing, Told } from '../things/sold-thing.ts'
import { setStatementStatus, writeStatementLine } from '../wallet/statement.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'

/** One sale of a thing: the customer, the price and the row. */
export type Sale<Facts> = {
  readonly thing: SoldThing<Facts>
  /** The id of the sale's own new row. */
  readonly id: string
  readonly facts: Facts
  readonly total: Money
  /** The tax decided for the sale, stored in its row. */
  readonly tax: TaxRule
  readonly buyer: Buyer
  readonly serverId?: string | undefined
  readonly requestId: string
}
export type Buyer = {
  readonly userId: string
  readonly locale: Locale
  /** Undefined for an automatic sale. */
  readonly address?: string | undefined
  readonly way?: Caller['way'] | undefined
}

export type Held = { readonly ok: true; readonly holdId: string | null }
export type Missing = { readonly ok: false; readonly missing: Money }
/**
 * Writes the sale's row and the purchase. Nothing may refuse after it. `holdId` is null if there was nothing to pay.
 */
export type Deliver = (holdId: string | null) => Promise<void>

/** A price that is captured in the transaction that holds it; this time is never reached. */
const AT_ONCE_MS = 60_000

/**
 * Runs a purchase once per key, in one transaction: price, thing, statement and news are written together or not at
 * all.
 */
export async function sellOnce<Answer extends object, Refusal extends { readonly ok: false }>(
  context: MoneyContext,
  request: {
    readonly thing: Pick<SoldThing<never>, 'name' | 'points'>
    readonly userId: string
    readonly key: string
    readonly body: unknown
  },
  work: (tx: Sql) => Promise<{ readonly ok: true; readonly answer: Answer } | Refusal>,
): Promise<{ readonly ok: true; readonly answer: Answer; readonly replayed: boolean } | Refusal | KeyRefusal> {
  const { thing, userId, key, body } = request
  const { points } = thing
  const result = await context.db.transaction((tx) => {
    const keyed = { scope: thing.name, userId, key, body, atMs: context.clock.now() }
    return oncePerKey<Answer, Refusal>(tx, keyed, async () => {
      await pass(context, points.begin)
      return work(tx)
    })
  })
  await pass(context, points.committed)
  return result
}

/**
 * Sells a thing that is delivered at once. The ledger has the last word on the balance: `missing` is returned before
 * anything is written. The capture comes last but for the invoice, because from there on every other sale waits for the
 * house accounts.
 */
export async function sell<Facts>(
  tx: Sql,
  context: MoneyContext,
  { sale, deliver }: { readonly sale: Sale<Facts>; readonly deliver: Deliver },
): Promise<Held | Missing> {
  const { points } = sale.thing
  const at = { tx, context, sale }
  const held = await setAside(at, AT_ONCE_MS)
  if (!held.ok) return held
  await pass(context, points.held)
  await deliver(held.holdId)
  const [balance] = await together([spendableNow(at), writeLine(at, 'finished').then(() => pass(context, points.line))])
  const [issue] = await together([
    readyInvoice(at, held.holdId),
    tell(at, { told: sale.thing.bought(factsOf(sale)), status: 'success', moved: { as: 'lower', balance } }).then(() =>
      pass(context, points.told),
    ),
  ])
  await takeAndInvoice(at, { holdId: held.holdId, captured: points.captured, issue })
  await pass(context, points.done)
  return held
}

/** Sells a thing that is delivered later: the price is held for `holdMs`, until `completeSale` or `giveUpSale`. */
export async function sellLater<Facts>(
  tx: Sql,
  context: MoneyContext,
  { sale, holdMs, deliver }: { readonly sale: Sale<Facts>; readonly holdMs: number; readonly deliver: Deliver },
): Promise<Held | Missing> {
  const { points } = sale.thing
  const at = { tx, context, sale }
  const held = await setAside(at, holdMs)
  if (!held.ok) return held
  await pass(context, points.held)
  await deliver(held.holdId)
  const [balance] = await together([
    spendableNow(at),
    writeLine(at, 'processing').then(() => pass(context, points.line)),
  ])
  await tell(at, { told: sale.thing.bought(factsOf(sale)), status: 'success', moved: { as: 'lower', balance } })
  await pass(context, points.told)
  return held
}

/** The thing was delivered: the held price is captured. `deliver` records that in the rows of the sale. */
export async function completeSale<Facts>(
  tx: Sql,
  context: MoneyContext,
  { sale, holdId, deliver }: { sale: Sale<Facts>; holdId: string | null; deliver: () => Promise<void> },
): Promise<void> {
  const later = laterOf(sale)
  const at = { tx, context, sale }
  await deliver()
  await setStatementStatus(tx, context, { document: documentOf(sale), status: 'finished' })
  await tell(at, { told: later.delivered(factsOf(sale)), status: 'success' })
  await pass(context, later.points.told)
  const issue = await readyInvoice(at, holdId)
  await takeAndInvoice(at, { holdId, captured: later.points.captured, issue })
  await pass(context, later.points.done)
}

/** The thing cannot be delivered: the hold is released. `undo` records that in the rows of the sale. */
export async function giveUpSale<Facts>(
  tx: Sql,
  context: MoneyContext,
  {
    sale,
    holdId,
    state,
    undo,
  }: { sale: Sale<Facts>; holdId: string | null; state: 'released' | 'expired'; undo: () => Promise<void> },
): Promise<void> {
  const later = laterOf(sale)
  const at = { tx, context, sale }
  if (holdId !== null) {
    noteLock(tx, 'wallet', sale.buyer.userId)
    const freed = await context.ledgerOn(tx).release({ holdId, state, atMs: context.clock.now() })
    assert(freed.ok, `The hold of a sale that is not delivered is open: ${freed.ok ? '' : freed.code}`)
  }
  await pass(context, later.points.released)
  await undo()
  await setStatementStatus(tx, context, { document: documentOf(sale), status: 'failed' })
  const moved = holdId === null ? undefined : { as: 'back' as const, balance: await spendableNow(at) }
  await tell(at, { told: later.failed(factsOf(sale)), status: 'failure', moved })
  await pass(context, later.points.told)
}

/** A sale inside its transaction. */
type At<Facts> = { readonly tx: Sql; readonly context: MoneyContext; readonly sale: Sale<Facts> }

const pass = async (context: MoneyContext, point: string | undefined): Promise<void> => {
  if (point !== undefined) await context.faults(point)
}

const factsOf = <Facts>({ facts, id, serverId, total, buyer }: Sale<Facts>): SaleFacts<Facts> => ({
  ...facts,
  ...(serverId === undefined ? {} : { serverId }),
  id,
  totalFt: Number(total.minor),
  locale: buyer.locale,
  isAsked: buyer.address !== undefined,
})

const documentOf = <Facts>({ thing, id }: Sale<Facts>) => ({ kind: thing.document, id })

function laterOf<Facts>({ thing }: Sale<Facts>): NonNullable<SoldThing<Facts>['later']> {
  assert(thing.later, `A ${thing.name} is delivered at once.`)
  return thing.later
}

const priceOf = <Facts>(sale: Sale<Facts>) => ({
  key: sale.thing.key(factsOf(sale)),
  userId: sale.buyer.userId,
  total: sale.total,
  rateBasisPoints: sale.tax.rateBasisPoints,
  reason: sale.thing.reason(factsOf(sale)),
  ref: { type: sale.thing.ledger, id: sale.id },
})

const originOf = (context: MoneyContext, { requestId }: { requestId: string }, actor: string) => ({
  id: context.ids.next(),
  atMs: context.clock.now(),
  actor,
  requestId,
})

const buyerOf = ({ userId, address }: Buyer): string => (address === undefined ? 'system' : `user:${userId}`)

/** Holds the price, bonus first; without a price, nothing. */
async function setAside<Facts>({ tx, context, sale }: At<Facts>, holdMs: number): Promise<Held | Missing> {
  if (sale.total.minor === 0n) return { ok: true, holdId: null }
  noteLock(tx, 'wallet', sale.buyer.userId)
  const origin = originOf(context, sale, buyerOf(sale.buyer))
  const request = priceHeld(origin, { ...priceOf(sale), expiresAtMs: origin.atMs + holdMs })
  const held = await context.ledgerOn(tx).placeHold(request)
  if (held.ok) return { ok: true, holdId: held.id }
  assert(held.code === 'INSUFFICIENT_BALANCE', 'What a key names is charged once: the key of a sale is new.')
  return { ok: false, missing: held.missing }
}

async function take<Facts>({ tx, context, sale }: At<Facts>, holdId: string | null): Promise<void> {
  if (holdId === null) return
  noteLock(tx, 'wallet', sale.buyer.userId)
  const origin = originOf(context, sale, sale.thing.later ? 'system' : buyerOf(sale.buyer))
  const request = priceCaptured(origin, { ...priceOf(sale), kind: sale.thing.ledger, holdId })
  const captured = await context.ledgerOn(tx).capture(request)
  assert(captured.ok, `The hold of a sale is open: ${captured.ok ? '' : captured.code}`)
}

const writeLine = <Facts>({ tx, context, sale }: At<Facts>, status: 'processing' | 'finished'): Promise<string> =>
  writeStatementLine(tx, context, {
    userId: sale.buyer.userId,
    type: sale.thing.statement,
    paymentType: 'balance',
    status,
    amountFt: -sale.total.minor,
    reason: sale.thing.reason(factsOf(sale)),
    document: documentOf(sale),
  })

type Telling = {
  readonly told: Told
  readonly status: 'success' | 'failure'
  /** Undefined where the balance stays as it was. */
  readonly moved?: { readonly as: 'lower' | 'back'; readonly balance: Money } | undefined
}

const spendableNow = async <Facts>({ tx, context, sale }: At<Facts>): Promise<Money> =>
  (await context.ledgerOn(tx).userBalance(sale.buyer.userId, 'HUF')).available

async function tell<Facts>({ tx, context, sale }: At<Facts>, { told, status, moved }: Telling): Promise<void> {
  const { buyer, total, thing, serverId, requestId } = sale
  const { userId, address, way } = buyer
  // The delivery or the failure of what was bought is nobody's action.
  const isBought = moved?.as === 'lower'
  await tellAtOnce(tx, context, {
    userId,
    serverId,
    requestId,
    activity: { ...told.activity, status },
    notices: told.notices ?? [],
    address: isBought ? address : undefined,
    way: isBought ? (address === undefined ? 'timer' : way) : null,
    doneBy: isBought && address !== undefined ? 'user' : 'system',
    balance:
      moved && total.minor > 0n
        ? { type: moved.as === 'back' ? 'refund' : thing.news, change: total, balance: moved.balance }
        : undefined,
  })
}

/**
 * Captures the price and writes the invoice in one round trip: every other sale waits for the house accounts and the series
 * until the transaction ends. A refused capture rolls back both.
 */
async function takeAndInvoice<Facts>(
  at: At<Facts>,
  { holdId, captured, issue }: { holdId: string | null; captured: string | undefined; issue: ReadyInvoice | undefined },
): Promise<void> {
  const taken = take(at, holdId).then(() => pass(at.context, captured))
  await together([taken, issue?.()])
}

/** Prepares the invoice except its number, which is assigned last. A free sale gets no invoice. */
const readyInvoice = async <Facts>(
  { tx, context, sale }: At<Facts>,
  holdId: string | null,
): Promise<ReadyInvoice | undefined> =>
  holdId === null ? undefined : prepareInvoice(tx, context, invoiceOf(sale, context.clock.now()))

/** The invoice of a sale that was delivered at a given time (epoch milliseconds). */
export function invoiceOf<Facts>(sale: Sale<Facts>, performedAtMs: number) {
  const { thing, id, total, tax, buyer, requestId } = sale
  const facts = { userId: buyer.userId, locale: buyer.locale, requestId, performedAtMs, tax }
  const text = thing.invoiceText(factsOf(sale))
  return invoiceOfSale(facts, { kind: thing.invoice, id, text, totalFt: total.minor })
}
