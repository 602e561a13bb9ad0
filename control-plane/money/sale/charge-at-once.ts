import { assert } from '#domain/kernel/assert.ts'
import type { Money } from '#domain/billing/money.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { priceCaptured, priceHeld, type PriceMoney } from '../ledger/price-postings.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** Its keys in the ledger are `<key>:hold` and `<key>:capture`; the key is made from the id of a new document. */
export type Charge = PriceMoney & {
  readonly kind: 'premium' | 'spins' | 'modification' | 'order'
  readonly requestId: string
}

/**
 * Takes the price of something that is delivered at once, bonus first: set aside and taken in the caller's transaction. Answers
 * what is missing where the balance does not reach; then nothing was written.
 */
export async function chargeAtOnce(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'> & { readonly ledgerOn: (sql: Sql) => Ledger },
  { kind, requestId, ...price }: Charge,
): Promise<{ readonly ok: true; readonly holdId: string } | { readonly ok: false; readonly missing: Money }> {
  const ledger = context.ledgerOn(tx)
  const atMs = context.clock.now()
  const origin = () => ({ id: context.ids.next(), atMs, actor: `user:${price.userId}`, requestId })
  const held = await ledger.placeHold(priceHeld(origin(), price))
  if (!held.ok) {
    assert(held.code === 'INSUFFICIENT_BALANCE', 'The key of a charge is made from a new id.')
    return { ok: false, missing: held.missing }
  }
  const captured = await ledger.capture(priceCaptured(origin(), { ...price, kind, holdId: held.id }))
  assert(captured.ok, 'A hold that was placed just now is open.')
  return { ok: true, holdId: held.id }
}
