import type { PremiumRequest } from '#contracts/http/premium.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { assert } from '#domain/kernel/assert.ts'
import { add, type Money } from '#domain/billing/money.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { buyPremium, type PremiumPurchase, type PremiumTier } from '#domain/billing/premium.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { chargeAtOnce } from '../sale/charge-at-once.ts'
import { missingFor, spendable } from '../wallet/debt.ts'
import { announceBalance, recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../sale/once-per-key.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { storedTax, taxOfCustomer } from '../tax/tax-of-sale.ts'
import { invoiceOfPremium } from '../invoices/invoice-requests.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockPremium, readOffers, readPremium } from './premium-store.ts'
import { endIfOver } from './premium-cycle.ts'
import { grantDueSpins } from './premium-spins.ts'

export type BoughtPremium = { readonly id: string; readonly tier: PremiumTier; readonly expiresAtMs: number }

export type PremiumPurchaseRefusal =
  | { readonly ok: false; readonly code: 'EMAIL_NOT_VERIFIED' | 'TIER_UNKNOWN' | 'ALREADY_HAS_PREMIUM' }
  | { readonly ok: false; readonly code: 'PRICE_CHANGED'; readonly price: Money }
  | { readonly ok: false; readonly code: 'NOT_ENOUGH_BALANCE'; readonly missing: Money }

type BuyPremium = {
  readonly caller: Caller
  readonly request: PremiumRequest
  readonly requestId: string
  readonly idempotencyKey: string
}

/** Where a crash matters, in the order in which they are passed. */
export const BUY_PREMIUM_FAULTS = ['premium.begin', 'premium.charged', 'premium.written', 'premium.committed'] as const

/** Buys a tier in one transaction: price, purchase, first free spins, statement and news appear together or not at all. */
export async function purchasePremium(
  context: MoneyContext,
  command: BuyPremium,
): Promise<{ ok: true; answer: BoughtPremium; replayed: boolean } | PremiumPurchaseRefusal | KeyRefusal> {
  const { caller, request, idempotencyKey: key } = command
  const result = await context.db.transaction((tx) => {
    const keyed = { scope: 'premium', userId: caller.userId, key, body: request, atMs: context.clock.now() } as const
    return oncePerKey<BoughtPremium, PremiumPurchaseRefusal>(tx, keyed, async () => {
      await context.faults('premium.begin')
      const decided = await decide(tx, context, command)
      if (!decided.ok) return decided
      const tax = await taxOfCustomer(tx, { userId: caller.userId, atMs: context.clock.now() })
      const charged = await charge(tx, context, { command, decided, tax })
      if (!charged.ok) return charged
      await context.faults('premium.charged')
      await writePurchase(tx, context, { command, decided, tax })
      await context.faults('premium.written')
      const { id, tier, expiresAtMs } = decided.premium
      return { ok: true, answer: { id, tier, expiresAtMs } }
    })
  })
  await context.faults('premium.committed')
  return result
}

type Decided = PremiumPurchase & { readonly spins: number }

async function decide(
  tx: Sql,
  context: MoneyContext,
  { caller, request }: BuyPremium,
): Promise<Decided | PremiumPurchaseRefusal> {
  const { userId } = caller
  if (!caller.isVerified) return { ok: false, code: 'EMAIL_NOT_VERIFIED' }
  // Two purchases of one person wait for one another; the second then sees the first.
  await lockPremium(tx, userId)
  const nowMs = context.clock.now()
  await endIfOver(tx, context, userId)
  const [offers, current] = [await readOffers(tx), await readPremium(tx, userId)]
  const available = await spendable(context.ledgerOn(tx), userId)
  const purchaseId = context.ids.next()
  const decided = buyPremium({ purchaseId, tier: request.tier, offers, current, nowMs, available })
  if (!decided.ok) {
    if (decided.code !== 'INSUFFICIENT_BALANCE') return { ok: false, code: decided.code }
    assert(decided.missing !== undefined, 'What is missing is said.')
    // Whoever owes may spend nothing: the price is what lacks and what may be spent.
    const price = add(decided.missing, available)
    return { ok: false, code: 'NOT_ENOUGH_BALANCE', missing: await missingFor(context.ledgerOn(tx), userId, price) }
  }
  const { charge: price, premium } = decided
  if (request.expectedPriceFt !== undefined && BigInt(request.expectedPriceFt) !== price.minor) {
    return { ok: false, code: 'PRICE_CHANGED', price }
  }
  return { ...decided, spins: offers[premium.tier].spins }
}

async function charge(
  tx: Sql,
  context: MoneyContext,
  { command, decided, tax }: { command: BuyPremium; decided: Decided; tax: TaxRule },
): Promise<{ ok: true } | PremiumPurchaseRefusal> {
  const { id, tier } = decided.premium
  const { userId } = command.caller
  const charged = await chargeAtOnce(tx, context, {
    ...{ userId, total: decided.charge, kind: 'premium', key: `premium:${id}`, requestId: command.requestId },
    rateBasisPoints: tax.rateBasisPoints,
    ...{ ref: { type: 'premium', id }, reason: `Premium ${tier}` },
  })
  return charged.ok ? charged : { ok: false, code: 'NOT_ENOUGH_BALANCE', missing: charged.missing }
}

async function writePurchase(
  tx: Sql,
  context: MoneyContext,
  { command, decided, tax }: { command: BuyPremium; decided: Decided; tax: TaxRule },
): Promise<void> {
  const { caller, requestId } = command
  const { userId, address } = caller
  const { premium, charge: price, spins } = decided
  const [from, to] = [new Date(premium.startedAtMs), new Date(premium.expiresAtMs)]
  await tx.query(
    `insert into control.premium_purchases (id, user_id, tier, price_ft, spins, started_at, expires_at, request_id, tax,
       immediate_start) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true)`,
    [
      ...[premium.id, userId, premium.tier, price.minor.toString(), spins, from, to, requestId],
      JSON.stringify(storedTax(tax)),
    ],
  )
  await grantDueSpins(tx, { userId, purchase: { ...premium, spins }, nowMs: context.clock.now() })
  await writeStatementLine(tx, context, {
    ...{ userId, type: 'premium', paymentType: 'balance', amountFt: -price.minor, status: 'finished' },
    ...{ reason: `Premium ${premium.tier}`, document: { kind: 'none', id: premium.id } },
  })
  const detail = { tier: premium.tier, priceFt: Number(price.minor) }
  await recordActivity(tx, context, { userId, address, type: 'premium.bought', status: 'success', detail })
  const { available } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  await announceBalance(tx, context, { userId, type: 'premium', change: price, balance: available, requestId })
  const facts = { userId, locale: caller.locale, requestId, performedAtMs: context.clock.now(), tax }
  const days = Math.round((premium.expiresAtMs - premium.startedAtMs) / DAY_MS)
  const sold = { id: premium.id, tier: premium.tier, days, totalFt: price.minor }
  // Last: everybody else's invoices wait for this transaction from here on.
  await issueInvoice(tx, context, invoiceOfPremium(facts, sold))
}
