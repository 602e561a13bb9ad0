import { assert } from '#domain/kernel/assert.ts'
import type { Money } from '#domain/billing/money.ts'
import { splitVat } from '#domain/billing/vat.ts'
import { houseAccount } from '../ledger/chart-of-accounts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Entry, Explanation } from '../ledger/transfer.ts'
import type { Context } from '../platform/context.ts'
import type { Sql } from '../platform/postgres.ts'

/** The hold lives for one transaction of the database. */
const HOLD_MS = 60_000

export type Charge = {
  readonly userId: string
  readonly amount: Money
  /** Of the tax that was decided for the sale. */
  readonly rateBasisPoints: bigint
  readonly kind: 'premium' | 'spins'
  /** The document that is paid; the keys of the ledger are made from it. */
  readonly ref: Explanation['ref']
  readonly reason: string
  readonly requestId: string
}

/**
 * Takes the price of something that is delivered at once, bonus first: set aside and taken in the caller's transaction. Answers
 * what is missing where the balance does not reach; then nothing was written.
 */
export async function chargeAtOnce(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'> & { readonly ledgerOn: (sql: Sql) => Ledger },
  charge: Charge,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly missing: Money }> {
  const { userId, amount, kind, ref, reason, requestId } = charge
  const ledger = context.ledgerOn(tx)
  const atMs = context.clock.now()
  const origin = { atMs, actor: `user:${userId}`, requestId, reason, ref }
  const key = `${kind}:${ref.id}`
  const expiresAtMs = atMs + HOLD_MS
  const held = await ledger.placeHold({
    ...origin,
    ...{ id: context.ids.next(), key: `${key}:hold`, userId, amount, expiresAtMs },
  })
  if (!held.ok) {
    assert(held.code === 'INSUFFICIENT_BALANCE', 'The key of a charge is made from a new id.')
    return { ok: false, missing: held.missing }
  }
  const { net, vat } = splitVat(amount, charge.rateBasisPoints)
  const credits: Entry[] = [
    { account: houseAccount('revenue'), amount: net },
    { account: houseAccount('vat_payable'), amount: vat },
  ]
  const captured = await ledger.capture({
    ...origin,
    ...{ id: context.ids.next(), holdId: held.id, kind, key: `${key}:capture`, amount },
    credits: credits.filter((credit) => credit.amount.minor !== 0n),
  })
  assert(captured.ok, 'A hold that was placed just now is open.')
  return { ok: true }
}
