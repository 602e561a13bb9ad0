import type { WithdrawalSubject } from '#contracts/http/withdrawal.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import { forints } from '#domain/billing/money.ts'
import { bonusOfSpan, type FundedSpan } from '#domain/billing/paid-buckets.ts'
import type { PremiumTier } from '#domain/billing/premium.ts'
import type { SalePart } from '../sale/sale-given-back.ts'
import { readSpansByServer, spansOf, type HeldSpan, type SpansByServer } from '../paid-time/held-spans.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { premiumText } from './premium-contract.ts'

/** A contract as input of a withdrawal. Times in epoch milliseconds. */
export type Contract = WithdrawalSubject & {
  readonly serverId: string | null
  readonly serverName: string | null
  readonly product: LocalizedText
  readonly concludedAtMs: number
  readonly isSettled: boolean
  readonly askedForImmediateStart: boolean
  readonly hasLaterRenewal: boolean
  readonly begunAtMs: number | undefined
  readonly wasWithdrawn: boolean
  /** When the paid period begins; for an upgraded renewal, when the upgrade's part begins too. */
  readonly periodStartMs: number
}

type Row = {
  document_id: string
  server_id: string | null
  server_name: string | null
  /** The tier, for premium. */
  product: LocalizedText | PremiumTier
  concluded_at: Date
  period_start: Date
  settled: boolean
  immediate_start: boolean
  later_renewal: boolean
  begun_at: Date | null
  confirmed_at: Date | null
}

/** `$1` is the customer, `$2` the document or null for all, `$3` the earliest time of the contract. */
const QUERIES = {
  // Every order is preceded by a recorded request to begin at once.
  order: `select o.id as document_id, o.server_id, s.name as server_name, o.product, o.created_at as concluded_at,
      o.state = 'completed' as settled, true as immediate_start, w.begun_at, w.confirmed_at,
      coalesce((select min(p.start_at) from control.paid_spans p where p.order_id = o.id), o.created_at) as period_start,
      exists (select from control.renewals r where r.server_id = o.server_id and r.withdrawn_at is null) as later_renewal
    from control.orders o join control.servers s on s.id = o.server_id
      left join control.withdrawals w on w.kind = 'order' and w.document_id = o.id
    where o.user_id = $1 and ($2::uuid is null or o.id = $2) and o.created_at > $3 and o.state <> 'failed'`,
  // Later by creation: after staff ended a server, a new renewal's period begins before prepaid ones.
  renewal: `select r.id as document_id, r.server_id, s.name as server_name, r.product, r.created_at as concluded_at,
      true as settled, r.immediate_start, w.begun_at, w.confirmed_at, r.period_start,
      exists (select from control.renewals l where l.server_id = r.server_id and l.withdrawn_at is null
        and (l.created_at, l.period_start) > (r.created_at, r.period_start)) as later_renewal
    from control.renewals r join control.servers s on s.id = r.server_id
      left join control.withdrawals w on w.kind = 'renewal' and w.document_id = r.id
    where r.user_id = $1 and ($2::uuid is null or r.id = $2) and r.created_at > $3`,
  premium: `select p.id as document_id, null as server_id, null as server_name, p.tier as product, p.started_at as concluded_at,
      p.started_at as period_start, true as settled, p.immediate_start, w.begun_at, w.confirmed_at, false as later_renewal
    from control.premium_purchases p left join control.withdrawals w on w.kind = 'premium' and w.document_id = p.id
    where p.user_id = $1 and ($2::uuid is null or p.id = $2) and p.started_at > $3`,
} as const

export type ContractQuery = {
  readonly userId: string
  readonly kind: WithdrawalSubject['kind']
  readonly documentId?: string
  /** Older contracts are not searched. */
  readonly sinceMs?: number
}

/** Contracts of a customer, with or without a right of withdrawal. */
export async function readContracts(sql: Sql, query: ContractQuery): Promise<Contract[]> {
  const { userId, kind, documentId, sinceMs = 0 } = query
  const rows = await sql.query<Row>(QUERIES[kind], [userId, documentId ?? null, new Date(sinceMs)])
  return rows.map((row) => ({
    kind,
    documentId: row.document_id,
    serverId: row.server_id,
    serverName: row.server_name,
    product: typeof row.product === 'string' ? premiumText(row.product) : row.product,
    concludedAtMs: row.concluded_at.getTime(),
    isSettled: row.settled,
    askedForImmediateStart: row.immediate_start,
    hasLaterRenewal: row.later_renewal,
    begunAtMs: row.begun_at?.getTime(),
    wasWithdrawn: row.confirmed_at !== null,
    periodStartMs: row.period_start.getTime(),
  }))
}

export type ContractSpan = Pick<HeldSpan, 'id' | 'span'> & { readonly cause: SalePart['sale'] }

/**
 * The payments of a contract. An order includes its server's upgrades; for a renewal, which is withdrawn first, they
 * include the part that covers the renewed time. `known` are the server's spans if they were read already.
 */
export async function readContractSpans(
  sql: Sql,
  contract: Contract,
  known?: SpansByServer,
): Promise<readonly ContractSpan[]> {
  const { kind, serverId, documentId, periodStartMs } = contract
  if (serverId === null) return premiumSpans(sql, documentId)
  const all = known ?? (await readSpansByServer(sql, [serverId]))
  const spans = spansOf(all, serverId, kind === 'renewal' ? periodStartMs : undefined)
  return spans.filter(({ cause, span }) => {
    if (cause.kind === 'modification') return kind === 'order' || span.startMs >= periodStartMs
    return cause.kind === kind && cause.id === documentId
  })
}

type PremiumRow = { started_at: Date; expires_at: Date; price_ft: bigint; bonus_ft: bigint }

async function premiumSpans(sql: Sql, id: string): Promise<readonly ContractSpan[]> {
  const rows = await sql.query<PremiumRow>(
    `select p.started_at, p.expires_at, p.price_ft, coalesce((select h.bonus_minor from control.ledger_holds h
       where h.ref_type = 'premium' and h.ref_id = p.id::text and h.state = 'captured'), 0)::bigint as bonus_ft
     from control.premium_purchases p where p.id = $1`,
    [id],
  )
  return rows.map((row) => {
    const [paid, zero] = [forints(row.price_ft), forints(0n)]
    const span: FundedSpan = {
      startMs: row.started_at.getTime(),
      endMs: row.expires_at.getTime(),
      fromMonthly: zero,
      toMonthly: paid,
      heldMonthly: paid,
      paid,
      returned: zero,
      bonus: bonusOfSpan({ paid, paidBefore: zero, chargeBonus: forints(row.bonus_ft) }),
    }
    return { id, span, cause: { kind: 'premium', id } }
  })
}
