import type { Quote, QuotePart, QuoteRequest } from '#contracts/http/order.ts'
import { subtract, type Money } from '#domain/billing/money.ts'
import type { CouponRefusal } from '#domain/billing/coupon.ts'
import { percentOf } from '#domain/billing/discount.ts'
import type { OrderPrice, PricePart } from '#domain/billing/order-price.ts'
import type { OrderRefusal } from '#domain/billing/order-refusal.ts'
import { firstPeriod } from '#domain/billing/period.ts'
import { missingFt } from '#domain/billing/runway.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { readDebtFt } from '../wallet/debt.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { premiumPercentOf } from '../premium/premium-store.ts'
import { priceOrder } from './price-order.ts'

const ft = (amount: Money): number => Number(amount.minor)

/**
 * Prices an order without placing it, and compares the price with the spendable balance. All amounts in whole forints.
 */
export async function quoteOrder(
  { db, clock, ledgerOn }: MoneyContext,
  { userId, request }: { userId: string; request: QuoteRequest },
): Promise<{ ok: true; quote: Quote } | OrderRefusal | CouponRefusal> {
  const nowMs = clock.now()
  const premiumPercent = await premiumPercentOf(db, { userId, nowMs })
  const order = await priceOrder(db, request, { userId, nowMs, premiumPercent, isOrder: false })
  if (!order.ok) return order
  const ledger = ledgerOn(db)
  const { available } = await ledger.userBalance(userId, 'HUF')
  const debtFt = Number(await readDebtFt(ledger, userId))
  const expiresAtMs = firstPeriod(nowMs, order.quote.months).endMs
  const beside = { available, debtFt, premiumPercent, expiresAtMs, tax: order.tax }
  return { ok: true, quote: priceOnTheWire(order.quote, beside) }
}

type Beside = {
  readonly available: Money
  readonly debtFt: number
  readonly premiumPercent: number
  readonly expiresAtMs: number
  readonly tax: TaxRule
}

/** A price beside the customer's spendable balance, with amounts in whole forints. */
export function priceOnTheWire(
  quote: OrderPrice,
  { available, debtFt, premiumPercent, expiresAtMs, tax }: Beside,
): Quote {
  const after = subtract(available, quote.total)
  return {
    monthlyFt: ft(quote.pricePerMonth),
    months: quote.months,
    discountFt: ft(quote.discount),
    totalFt: ft(quote.total),
    netFt: ft(quote.vat.net),
    vatFt: ft(quote.vat.vat),
    vatPercent: Number(tax.rateBasisPoints) / 100,
    balanceFt: ft(available),
    balanceAfterFt: Math.max(0, ft(after)),
    missingFt: missingFt({ balanceFt: ft(available), debtFt }, ft(quote.total)),
    expiresAt: new Date(expiresAtMs).toISOString(),
    renewalFt: ft(subtract(quote.pricePerMonth, percentOf(quote.pricePerMonth, premiumPercent))),
    parts: quote.parts.map(partOnTheWire),
  }
}

/** A part of the price with amounts in whole forints. */
export function partOnTheWire(part: PricePart): QuotePart {
  const { amount, ...named } = part
  if (named.kind !== 'resource') return { ...named, amountFt: ft(amount) }
  const { pricePerMonth, ...resource } = named
  return { ...resource, monthlyFt: ft(pricePerMonth), amountFt: ft(amount) }
}
