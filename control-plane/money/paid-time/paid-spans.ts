import type { PaidSpan } from '#domain/billing/paid-time.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** The document that paid for a span. */
export type SpanSource = { readonly orderId: string } | { readonly renewalId: string }

/** Writes the spans that a document paid for, in their order. */
export async function writePaidSpans(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  { serverId, source, spans }: { serverId: string; source: SpanSource; spans: readonly PaidSpan[] },
): Promise<void> {
  const rows = spans.map((span, position) => ({
    position,
    start_at: new Date(span.startMs),
    end_at: new Date(span.endMs),
    from_monthly_ft: span.fromMonthly.minor.toString(),
    to_monthly_ft: span.toMonthly.minor.toString(),
    held_monthly_ft: span.heldMonthly.minor.toString(),
    paid_ft: span.paid.minor.toString(),
    returned_ft: span.returned.minor.toString(),
  }))
  await tx.query(
    `insert into control.paid_spans (server_id, order_id, renewal_id, position, start_at, end_at, from_monthly_ft, to_monthly_ft,
       held_monthly_ft, paid_ft, returned_ft, created_at)
     select $1, $2, $3, span.*, $5
     from jsonb_to_recordset($4::jsonb) as span (position integer, start_at timestamptz, end_at timestamptz,
       from_monthly_ft bigint, to_monthly_ft bigint, held_monthly_ft bigint, paid_ft bigint, returned_ft bigint)`,
    [
      serverId,
      'orderId' in source ? source.orderId : null,
      'renewalId' in source ? source.renewalId : null,
      JSON.stringify(rows),
      new Date(clock.now()),
    ],
  )
}
