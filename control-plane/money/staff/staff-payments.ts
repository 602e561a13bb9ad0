import type { StaffPayment, UnmatchedPayment } from '#contracts/http/staff-payments.ts'
import { maximumAssignedFt } from '#domain/payments/unmatched-amount.ts'
import { refundableFt } from '#domain/payments/refund-to-source.ts'
import { paymentStanding } from '#domain/payments/payment-state.ts'
import type { PaymentProviders } from '../payments/payment-provider.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { mayClose } from '../payments/close-dispute.ts'
import { creditedOf, factsOf, type PaymentRow } from '../payments/payment-row.ts'

const DEFAULT_PAGE = 50

type Page = { readonly limit?: number | undefined; readonly before?: string | undefined }
type Which = 'all' | 'open' | 'problem' | 'disputed' | 'taken-back'

const CONDITION: Readonly<Record<Which, string>> = {
  all: 'true',
  open: `p.state in ('created', 'pending', 'requires_action')`,
  problem: 'p.problem is not null',
  disputed: `p.dispute <> 'none'`,
  'taken-back': 'exists (select from control.chargebacks c where c.payment_id = p.id)',
}

type Row = PaymentRow & {
  kind: string
  failure_code: string | null
  settled_at: Date | null
  refunds: {
    id: string
    amountFt: number
    state: 'requested'
    reason: string
    failureCode: string | null
    createdAt: string
  }[]
  taken_back: NonNullable<StaffPayment['takenBack']>
}

/** A page of payments for staff, newest first. */
export async function readStaffPayments(
  sql: Sql,
  providers: PaymentProviders,
  { which, userId, limit = DEFAULT_PAGE, before }: Page & { which: Which; userId?: string | undefined },
): Promise<{ items: StaffPayment[]; next: string | null }> {
  const rows = await sql.query<Row>(
    `select p.id, p.user_id, p.provider, p.provider_payment_id, p.amount_ft, p.credited_ft, p.state, p.refunded_ft, p.dispute,
       p.problem, p.checks, p.created_at, p.kind, p.failure_code, p.settled_at, coalesce((
         select jsonb_agg(jsonb_build_object('id', r.id, 'amountFt', r.amount_ft, 'state', r.state, 'reason', r.reason,
           'failureCode', r.failure_code, 'createdAt', r.created_at) order by r.id)
         from control.refunds r where r.payment_id = p.id), '[]') as refunds, coalesce((
         select jsonb_agg(jsonb_build_object('id', c.id, 'kind', c.kind, 'amountFt', c.amount_ft, 'fromWalletFt', c.from_wallet_ft,
           'debtFt', c.debt_ft, 'writtenOffFt', c.written_off_ft, 'state', c.state, 'createdAt', c.created_at) order by c.created_at, c.id)
         from control.chargebacks c where c.payment_id = p.id), '[]') as taken_back
     from control.payments p
     where ${CONDITION[which]} and ($1::uuid is null or p.user_id = $1) and ($2::uuid is null or p.id < $2)
     order by p.id desc limit $3`,
    [userId ?? null, before ?? null, limit + 1],
  )
  return pageOf(
    rows.map((row) => staffPaymentOf(row, providers)),
    limit,
  )
}

const pageOf = <Item extends { id: string }>(items: Item[], limit: number) => ({
  items: items.slice(0, limit),
  next: items.length > limit ? (items[limit - 1]?.id ?? null) : null,
})

function staffPaymentOf(row: Row, providers: PaymentProviders): StaffPayment {
  const facts = factsOf(row)
  const creditedFt = Number(creditedOf(row))
  const refunds = row.refunds.map((refund) => ({ ...refund, createdAt: new Date(refund.createdAt).toISOString() }))
  const refundedFt = refunds.filter(({ state }) => String(state) !== 'failed').reduce((sum, r) => sum + r.amountFt, 0)
  const takenBack = row.taken_back.map((taken) => ({ ...taken, createdAt: new Date(taken.createdAt).toISOString() }))
  const takenFt = takenBack.filter(({ state }) => state === 'taken').reduce((sum, taken) => sum + taken.amountFt, 0)
  const refundable = refundableFt({
    state: row.state,
    dispute: row.dispute,
    creditedFt: creditedOf(row),
    refundedFt: BigInt(refundedFt + takenFt),
    refundedAtProviderFt: row.refunded_ft,
    refunds: providers.find(row.provider)?.capabilities.refunds ?? 'none',
  })
  return {
    id: row.id,
    userId: row.user_id,
    provider: row.provider,
    providerPaymentId: row.provider_payment_id,
    kind: row.kind,
    amountFt: Number(row.amount_ft),
    creditedFt,
    refundedFt,
    refundableFt: Number(refundable),
    standing: paymentStanding(facts, row.amount_ft),
    problem: row.problem,
    failureCode: row.failure_code,
    checks: row.checks,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
    refunds,
    dispute: row.dispute,
    mayCloseDispute: row.state === 'settled' && row.dispute !== 'won' && mayClose(providers, row.provider),
    takenBack,
  }
}

type UnmatchedRow = {
  id: string
  provider: string
  provider_payment_id: string
  kind: UnmatchedPayment['kind']
  problem: string
  amount_minor: bigint
  currency: string
  exponent: number
  forwarded_ft: bigint | null
  reference: string | null
  payment_id: string | null
  user_id: string | null
  state: UnmatchedPayment['state']
  resolution: string | null
  credited_ft: bigint | null
  created_at: Date
  went_back_minor: bigint
  is_disputed: boolean
}

const ft = (amount: bigint | null): number | null => (amount === null ? null : Number(amount))

/** A page of unmatched payments, newest first; without `all`, only open ones. */
export async function readUnmatched(
  sql: Sql,
  { all, limit = DEFAULT_PAGE, before }: Page & { all: boolean },
): Promise<{ items: UnmatchedPayment[]; next: string | null }> {
  const rows = await sql.query<UnmatchedRow>(
    `select id, provider, provider_payment_id, kind, problem, amount_minor, currency, exponent, forwarded_ft, reference,
       payment_id, user_id, state, resolution, credited_ft, created_at, went_back_minor, is_disputed
     from control.unmatched_payments where ($1 or state = 'open') and ($2::uuid is null or id < $2)
     order by id desc limit $3`,
    [all, before ?? null, limit + 1],
  )
  const items = rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    providerPaymentId: row.provider_payment_id,
    kind: row.kind,
    problem: row.problem,
    amount: { minor: row.amount_minor.toString(), currency: row.currency, exponent: row.exponent },
    forwardedFt: ft(row.forwarded_ft),
    reference: row.reference,
    paymentId: row.payment_id,
    userId: row.user_id,
    state: row.state,
    resolution: row.resolution,
    creditedFt: ft(row.credited_ft),
    createdAt: row.created_at.toISOString(),
    wentBackMinor: row.went_back_minor.toString(),
    isDisputed: row.is_disputed,
    maximumFt: Number(
      maximumAssignedFt({
        amount: { minor: row.amount_minor, currency: row.currency, exponent: row.exponent },
        forwardedFt: row.forwarded_ft,
      }),
    ),
  }))
  return pageOf(items, limit)
}
