import type { Quote, QuoteRequest } from '#contracts/http/order.ts'
import { subtract, type Money } from '#domain/billing/money.ts'
import type { OrderRefusal } from '#domain/billing/order-refusal.ts'
import { firstPeriod } from '#domain/billing/period.ts'
import type { OrderContext } from './order-context.ts'
import { priceOrder } from './price-order.ts'

const VAT_PERCENT = 27
const ft = (amount: Money): number => Number(amount.minor)

/** Prices an order without placing it, and compares it with what the user may spend. All amounts in whole forints. */
export async function quoteOrder(
  { db, clock, ledgerOn }: OrderContext,
  { userId, request }: { userId: string; request: QuoteRequest },
): Promise<{ ok: true; quote: Quote } | OrderRefusal> {
  const order = await priceOrder(db, request)
  if (!order.ok) return order
  const { available } = await ledgerOn(db).userBalance(userId, 'HUF')
  const { quote } = order
  const after = subtract(available, quote.total)
  return {
    ok: true,
    quote: {
      monthlyFt: ft(quote.pricePerMonth),
      months: quote.months,
      discountFt: ft(quote.discount),
      totalFt: ft(quote.total),
      netFt: ft(quote.vat.net),
      vatFt: ft(quote.vat.vat),
      vatPercent: VAT_PERCENT,
      balanceFt: ft(available),
      balanceAfterFt: Math.max(0, ft(after)),
      missingFt: Math.max(0, -ft(after)),
      expiresAt: new Date(firstPeriod(clock.now(), quote.months).endMs).toISOString(),
      renewalFt: ft(quote.pricePerMonth),
    },
  }
}
