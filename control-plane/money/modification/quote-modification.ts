import type { ModificationQuote } from '#contracts/http/modification.ts'
import { subtract, type Money } from '#domain/billing/money.ts'
import { missingFor } from '../wallet/debt.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { fitsIn, readRoomOf } from '../../servers/placement/room.ts'
import { decideOn, type ModifyRefusal, type Wish } from './decide-modification.ts'

const ft = (amount: Money): number => Number(amount.minor)

/** Prices a resize without changing anything. */
export async function quoteModification(
  context: MoneyContext,
  wish: Wish,
): Promise<{ ok: true; quote: ModificationQuote } | ModifyRefusal> {
  const decided = await decideOn(context.db, { context, purpose: 'quote' }, wish)
  if (!decided.ok) return decided
  // Reported before the customer pays or tops up for it.
  const room = await readRoomOf(context.db, decided.record)
  if (!fitsIn(room, decided.record, decided.limits)) return { ok: false, code: 'NO_CAPACITY' }
  const { server, modification } = decided
  const { days, monthly, charge, back } = modification
  const ledger = context.ledgerOn(context.db)
  const { available } = await ledger.userBalance(wish.caller.userId, 'HUF')
  const after = ft(subtract(available, charge)) + ft(back)
  const missing = charge.minor > 0n ? await missingFor(ledger, wish.caller.userId, charge) : charge
  return {
    ok: true,
    quote: {
      days,
      monthlyFt: ft(server.monthly),
      newMonthlyFt: ft(monthly),
      chargeFt: ft(charge),
      backFt: ft(back),
      balanceFt: ft(available),
      balanceAfterFt: Math.max(0, after),
      missingFt: ft(missing),
      expiry: new Date(server.expiresAtMs).toISOString(),
    },
  }
}
