import type { LocalizedText } from '#contracts/locale.ts'
import { add, forints, type Money } from '#domain/billing/money.ts'
import type { PaidSpan } from '#domain/billing/paid-time.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { correctSale, recordGivenBack } from '../invoices/correct-sale.ts'
import { noteLineRefunded } from '../wallet/statement.ts'

/** The returned part of one sale. A withdrawal from an order returns parts of the order and of each upgrade. */
export type SalePart = {
  readonly sale: { readonly kind: 'order' | 'renewal' | 'modification' | 'premium'; readonly id: string }
  readonly givenBackFt: bigint
}
export type GivenBackSales = {
  readonly parts: readonly SalePart[]
  readonly cause: {
    readonly type: 'withdrawal' | 'staff-refund' | 'rejected-resize' | 'modification'
    readonly id: string
  }
}

/** The parts by the sales that paid for the spans. */
export function partsOfSpans(
  before: readonly { readonly cause: SalePart['sale']; readonly span: PaidSpan }[],
  after: readonly Pick<PaidSpan, 'returned'>[],
): SalePart[] {
  const parts = new Map<string, SalePart>()
  for (const [index, { cause, span }] of before.entries()) {
    const given = (after[index]?.returned.minor ?? span.returned.minor) - span.returned.minor
    const part = parts.get(cause.id) ?? { sale: cause, givenBackFt: 0n }
    parts.set(cause.id, { ...part, givenBackFt: part.givenBackFt + given })
  }
  return [...parts.values()].filter(({ givenBackFt }) => givenBackFt > 0n)
}

/**
 * Records the return of each sale, beside its row and on the line of its charge, and splits the total into revenue and
 * tax, by the rule in each sale's row. Called once per cause, before the posting.
 */
export async function recordSalesGivenBack(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { parts, cause }: GivenBackSales,
): Promise<{ readonly net: Money; readonly vat: Money }> {
  let [net, vat] = [forints(0n), forints(0n)]
  for (const part of parts) {
    const split = await recordGivenBack(tx, context, { ...part, cause })
    ;[net, vat] = [add(net, split.net), add(vat, split.vat)]
    await noteLineRefunded(tx, { document: part.sale, amountFt: part.givenBackFt })
  }
  return { net, vat }
}

/** Corrects the documents of the sales. Last in a transaction: from here on documents wait for one another. */
export async function correctDocuments(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  {
    parts,
    cause,
    reason,
    requestId,
  }: GivenBackSales & { readonly reason: string | LocalizedText; readonly requestId: string },
): Promise<void> {
  for (const part of parts) await correctSale(tx, context, { ...part, cause, reason, requestId })
}
