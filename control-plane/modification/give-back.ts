import type { LocalizedText } from '#contracts/locale.ts'
import { add, forints, subtract, type Money } from '#domain/billing/money.ts'
import type { PaidSpan } from '#domain/billing/paid-time.ts'
import { refundToBalance } from '#domain/billing/refund.ts'
import { assert } from '#domain/kernel/assert.ts'
import { correctSale, recordGivenBack, type GivenBack, type SaleRef } from '../billing/correct-sale.ts'
import type { OrderContext } from '../orders/order-context.ts'
import type { Sql } from '../platform/postgres.ts'
import type { DecidedModification } from './decide-modification.ts'
import { readBuckets, type HeldSpan } from './held-spans.ts'

type Change = { readonly decided: DecidedModification; readonly modificationId: string }

export type BackOfChange = {
  readonly money: Money
  readonly bonus: Money
  readonly net: Money
  readonly vat: Money
  /** What each sale gives back. */
  readonly returns: readonly GivenBack[]
}

/**
 * What a smaller size gives back: to where it came from, never more than was paid for this server, and out of the revenue and the tax of
 * the sales that paid for the time.
 */
export async function takeBack(
  tx: Sql,
  context: OrderContext,
  change: Change & { reason: string },
): Promise<BackOfChange> {
  const { decided, reason } = change
  const { back } = decided.modification
  const none = forints(0n)
  if (back.minor === 0n) return { money: none, bonus: none, net: none, vat: none, returns: [] }
  const refund = refundToBalance(await readBuckets(tx, decided.server.id), { amount: back, reason })
  assert(refund.ok, 'What is given back of spans was paid for them.')
  const returns = returnsOf(change)
  let [net, vat] = [none, none]
  for (const given of returns) {
    const split = await recordGivenBack(tx, context, given)
    ;[net, vat] = [add(net, split.net), add(vat, split.vat)]
  }
  return { money: refund.money, bonus: refund.bonus, net, vat, returns }
}

/** By sale, in the order of the days. */
function returnsOf({ decided, modificationId }: Change): GivenBack[] {
  const { held, modification } = decided
  const bySale = new Map<string, { sale: SaleRef; givenBackFt: bigint }>()
  for (const [index, { span, sale }] of held.entries()) {
    const givenBackFt = returnedOf(modification.spans[index], span)
    const key = `${sale.kind} ${sale.id}`
    bySale.set(key, { sale, givenBackFt: givenBackFt + (bySale.get(key)?.givenBackFt ?? 0n) })
  }
  const cause = { type: 'modification', id: modificationId } as const
  return [...bySale.values()].filter(({ givenBackFt }) => givenBackFt > 0n).map((each) => ({ ...each, cause }))
}

const returnedOf = (after: PaidSpan | undefined, before: HeldSpan['span']): bigint =>
  after === undefined ? 0n : subtract(after.returned, before.returned).minor

const REASON: LocalizedText = {
  en: 'Smaller resources for the rest of the paid time',
  hu: 'Kisebb erőforrások a kifizetett idő hátralévő részére',
  de: 'Kleinere Ressourcen für den Rest der bezahlten Zeit',
}

/** The documents of it. Last: everybody else's invoices wait for this transaction from here on. */
export async function documentBack(
  tx: Sql,
  context: OrderContext,
  { returns, requestId }: { returns: readonly GivenBack[]; requestId: string },
): Promise<void> {
  for (const given of returns) await correctSale(tx, context, { ...given, reason: REASON, requestId })
}
