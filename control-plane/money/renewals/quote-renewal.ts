import type { RenewalQuote } from '#contracts/http/renewal.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { subtract, type Money } from '#domain/billing/money.ts'
import { renewalMonthly } from '#domain/billing/package-change.ts'
import { renewalPrice } from '#domain/billing/renewal.ts'
import { paidPeriod } from '#domain/billing/period.ts'
import { splitVat } from '#domain/billing/vat.ts'
import { taxOfCustomer } from '../tax/tax-of-sale.ts'
import { missingFt } from '#domain/billing/runway.ts'
import { readDebtFt } from '../wallet/debt.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { ownServer } from '../paid-time/own-server.ts'
import { premiumPercentOf } from '../premium/premium-store.ts'
import { decide, type RenewRefusal } from './renew-server.ts'

const ft = (amount: Money): number => Number(amount.minor)
const iso = (ms: number): string => new Date(ms).toISOString()

/**
 * Prices a renewal without making it, and compares it with the owner's spendable balance. All amounts in whole forints.
 */
export async function quoteRenewal(
  context: MoneyContext,
  { caller, serverId, months }: { caller: Caller; serverId: string; months: number },
): Promise<{ ok: true; quote: RenewalQuote } | RenewRefusal> {
  const { db, ledgerOn } = context
  const own = await ownServer(db, caller, serverId)
  if (!own.ok) return own
  const { server } = own
  const decided = await decide(db, context, { server, months })
  if (!decided.ok && decided.code !== 'INSUFFICIENT_BALANCE') return decided
  const ledger = ledgerOn(db)
  const { available } = await ledger.userBalance(caller.userId, 'HUF')
  const debtFt = Number(await readDebtFt(ledger, caller.userId))
  const percent = await premiumPercentOf(db, { userId: caller.userId, nowMs: context.clock.now() })
  const { total, discount } = renewalPrice(renewalMonthly(server), months, percent)
  const { rateBasisPoints } = await taxOfCustomer(db, { userId: server.ownerId, atMs: context.clock.now() })
  const { net, vat } = splitVat(total, rateBasisPoints)
  const after = ft(subtract(available, total))
  return {
    ok: true,
    quote: {
      months,
      monthlyFt: ft(renewalMonthly(server)),
      discountFt: ft(discount),
      totalFt: ft(total),
      netFt: ft(net),
      vatFt: ft(vat),
      vatPercent: Number(rateBasisPoints) / 100,
      balanceFt: ft(available),
      balanceAfterFt: Math.max(0, after),
      missingFt: missingFt({ balanceFt: ft(available), debtFt }, ft(total)),
      expiry: iso(server.expiresAtMs),
      newExpiry: iso(paidPeriod(server.expiresAtMs, months).endMs),
      deletionAt: iso(deletionAtMs(server.expiresAtMs)),
      autoRenewal: server.autoRenew,
    },
  }
}
