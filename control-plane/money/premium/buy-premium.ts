import type { PremiumRequest } from '#contracts/http/premium.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { assert } from '#domain/kernel/assert.ts'
import { add, type Money } from '#domain/billing/money.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { buyPremium, type PremiumPurchase, type PremiumTier } from '#domain/billing/premium.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { KeyRefusal } from '../../platform/once-per-key.ts'
import { sell, sellOnce } from '../sale/till.ts'
import { storedTax, taxOfCustomer } from '../tax/tax-of-sale.ts'
import { PREMIUM } from '../things/premium.ts'
import { missingFor, spendable } from '../wallet/debt.ts'
import { endIfOver } from './premium-cycle.ts'
import { grantDueSpins } from './premium-spins.ts'
import { readOffers, readPremium } from './premium-store.ts'

export type BoughtPremium = { readonly id: string; readonly tier: PremiumTier; readonly expiresAtMs: number }

export type PremiumPurchaseRefusal =
  | { readonly ok: false; readonly code: 'EMAIL_NOT_VERIFIED' | 'TIER_UNKNOWN' | 'ALREADY_HAS_PREMIUM' }
  | { readonly ok: false; readonly code: 'PRICE_CHANGED'; readonly price: Money }
  | { readonly ok: false; readonly code: 'INSUFFICIENT_BALANCE'; readonly missing: Money }

type BuyPremium = {
  readonly caller: Caller
  readonly request: PremiumRequest
  readonly requestId: string
  readonly idempotencyKey: string
}

/** Fault points in the order in which they are passed. */
export const BUY_PREMIUM_FAULTS = ['premium.begin', 'premium.charged', 'premium.written', 'premium.committed'] as const

/** Buys a tier: price, purchase, first free spins, statement and news are written together or not at all. */
export const purchasePremium = (
  context: MoneyContext,
  command: BuyPremium,
): Promise<{ ok: true; answer: BoughtPremium; replayed: boolean } | PremiumPurchaseRefusal | KeyRefusal> => {
  const { caller, request: body, idempotencyKey: key } = command
  return sellOnce(context, { thing: PREMIUM, userId: caller.userId, key, body }, (tx) => buyOnce(tx, context, command))
}

async function buyOnce(
  tx: Sql,
  context: MoneyContext,
  command: BuyPremium,
): Promise<{ ok: true; answer: BoughtPremium } | PremiumPurchaseRefusal> {
  const decided = await decide(tx, context, command)
  if (!decided.ok) return decided
  const { caller: buyer, requestId } = command
  const { premium, charge: total } = decided
  const { id, tier, startedAtMs, expiresAtMs } = premium
  const tax = await taxOfCustomer(tx, { userId: buyer.userId, atMs: context.clock.now() })
  if (decided.spins > 0) await lockInOrder(tx, { spins: buyer.userId })
  const facts = { tier, days: Math.round((expiresAtMs - startedAtMs) / DAY_MS) }
  const sold = await sell(tx, context, {
    sale: { thing: PREMIUM, id, facts, total, tax, buyer, requestId },
    deliver: () => writePurchase(tx, context, { command, decided, tax }),
  })
  if (!sold.ok) return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: sold.missing }
  return { ok: true, answer: { id, tier, expiresAtMs } }
}

type Decided = PremiumPurchase & { readonly spins: number }

async function decide(
  tx: Sql,
  context: MoneyContext,
  { caller, request }: BuyPremium,
): Promise<Decided | PremiumPurchaseRefusal> {
  const { userId } = caller
  if (!caller.isVerified) return { ok: false, code: 'EMAIL_NOT_VERIFIED' }
  // Two purchases of one person run one after the other; the second sees the first.
  await lockInOrder(tx, { premium: { userId, as: 'alone' } })
  const nowMs = context.clock.now()
  await endIfOver(tx, context, userId)
  const [offers, current] = [await readOffers(tx), await readPremium(tx, userId)]
  const available = await spendable(context.ledgerOn(tx), userId)
  const purchaseId = context.ids.next()
  const decided = buyPremium({ purchaseId, tier: request.tier, offers, current, nowMs, available })
  if (!decided.ok) {
    if (decided.code !== 'INSUFFICIENT_BALANCE') return { ok: false, code: decided.code }
    assert(decided.missing !== undefined, 'What is missing is said.')
    // A customer in debt may spend nothing: the price is the missing amount plus the spendable balance.
    const price = add(decided.missing, available)
    return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: await missingFor(context.ledgerOn(tx), userId, price) }
  }
  const { charge: price, premium } = decided
  if (request.expectedPriceFt !== undefined && BigInt(request.expectedPriceFt) !== price.minor) {
    return { ok: false, code: 'PRICE_CHANGED', price }
  }
  return { ...decided, spins: offers[premium.tier].spins }
}

async function writePurchase(
  tx: Sql,
  context: MoneyContext,
  { command, decided, tax }: { command: BuyPremium; decided: Decided; tax: TaxRule },
): Promise<void> {
  const { userId } = command.caller
  const { premium, charge: price, spins } = decided
  await tx.query(
    `insert into control.premium_purchases (id, user_id, tier, price_ft, spins, started_at, expires_at, request_id, tax,
       immediate_start) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true)`,
    [
      premium.id,
      userId,
      premium.tier,
      price.minor.toString(),
      spins,
      new Date(premium.startedAtMs),
      new Date(premium.expiresAtMs),
      command.requestId,
      JSON.stringify(storedTax(tax)),
    ],
  )
  await grantDueSpins(tx, { userId, purchase: { ...premium, spins }, nowMs: context.clock.now() })
}
