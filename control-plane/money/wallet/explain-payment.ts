import type { FormulaPart } from '#contracts/http/transaction-detail.ts'
import { TIER_NAMES, type PremiumTier } from '#domain/billing/premium.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { DocumentKind } from '../things/document-ref.ts'
import type { Documented, Explained, LineFacts } from './explained.ts'

/** Top-ups, and their later refunds, charge-backs and debts. */
export async function explainPayment(sql: Sql, line: Documented): Promise<Explained | undefined> {
  const { kind, id, source = '' } = line.document
  switch (kind) {
    case 'payment':
      return explainTopUp(sql, line)
    case 'refund':
      return explainRefund(sql, { line, id })
    case 'debt':
      return { cause: 'debt-paid', formula: [{ kind: 'flat', amountFt: line.amountFt }] }
    case 'unmatched':
      return { cause: 'top-up-assigned', method: line.paymentType, formula: [paid(line.amountFt)] }
    case 'server-refund':
    case 'withdrawal':
      return explainGivenBack(sql, { line, id, what: kind })
    default: {
      const cause = TAKEN_CAUSES.get(kind)
      return cause && explainTaken(sql, { line, id, sourceId: source, cause })
    }
  }
}

const TAKEN_CAUSES: ReadonlyMap<DocumentKind, Taken['cause']> = new Map([
  ['chargeback', 'charge-back'],
  ['dispute-won', 'dispute-won'],
  ['elsewhere', 'refund'],
  ['elsewhere-returned', 'refund'],
])

const paid = (amountFt: number): FormulaPart => ({ kind: 'paid', amountFt })

type PaymentRow = { provider: string; provider_payment_id: string | null; amount_ft: bigint }

async function explainTopUp(sql: Sql, { document, userId, amountFt }: Documented): Promise<Explained | undefined> {
  const [payment] = await sql.query<PaymentRow>(
    'select provider, provider_payment_id, amount_ft from control.payments where id = $1 and user_id = $2',
    [document.id, userId],
  )
  if (!payment) return undefined
  const paidFt = Number(payment.amount_ft)
  const share: FormulaPart[] = paidFt === amountFt ? [] : [{ kind: 'provider-share', amountFt: amountFt - paidFt }]
  return {
    cause: 'top-up',
    method: payment.provider,
    providerReference: payment.provider_payment_id,
    formula: [paid(paidFt), ...share],
    bill: { kind: 'top-up', id: document.id },
  }
}

type RefundRow = { payment_id: string; provider: string; provider_payment_id: string | null; line_id: string | null }

async function explainRefund(sql: Sql, { line, id }: { line: LineFacts; id: string }): Promise<Explained | undefined> {
  const [refund] = await sql.query<RefundRow>(
    `select r.payment_id, r.provider, p.provider_payment_id, ${LINE_OF_PAYMENT} as line_id
     from control.refunds r join control.payments p on p.id = r.payment_id where r.id = $1 and r.user_id = $2`,
    [id, line.userId],
  )
  if (!refund) return undefined
  return {
    cause: 'refund',
    method: refund.provider,
    providerReference: refund.provider_payment_id,
    paymentLineId: refund.line_id,
    reason: line.reason,
    formula: [{ kind: 'flat', amountFt: line.amountFt }],
    bill: { kind: 'top-up', id: refund.payment_id },
  }
}

const LINE_OF_PAYMENT = `(select t.id from control.wallet_transactions t where t.reference_kind = 'payment'
  and t.reference_id = p.id and t.type = 'top-up' and t.user_id = p.user_id)`

type TakenRow = {
  amount_ft: bigint
  document_id: string
  provider: string
  provider_payment_id: string | null
  line_id: string | null
}
type Taken = { line: LineFacts; id: string; sourceId: string; cause: 'charge-back' | 'dispute-won' | 'refund' }

/** The reversals of a payment or an assigned payment, and won disputes. */
async function explainTaken(sql: Sql, { line, id, sourceId, cause }: Taken): Promise<Explained | undefined> {
  // A dispute that was taken before it had an id has one by now.
  const [taken] = await sql.query<TakenRow>(
    `select c.amount_ft, coalesce(c.payment_id, c.unmatched_id) as document_id, coalesce(p.provider, u.provider) as provider,
       coalesce(p.provider_payment_id, u.provider_payment_id) as provider_payment_id, ${LINE_OF_PAYMENT} as line_id
     from control.chargebacks c left join control.payments p on p.id = c.payment_id
       left join control.unmatched_payments u on u.id = c.unmatched_id
     where coalesce(c.payment_id, c.unmatched_id) = $1 and c.user_id = $2 and c.kind = $4
     order by c.source_id = $3 desc, c.created_at, c.id limit 1`,
    [id, line.userId, sourceId, cause === 'refund' ? 'refund' : 'dispute'],
  )
  if (!taken) return undefined
  const wholeFt = Number(taken.amount_ft)
  const debtFt = wholeFt - line.amountFt
  return {
    cause,
    method: taken.provider,
    providerReference: taken.provider_payment_id,
    paymentLineId: taken.line_id,
    formula: [
      { kind: cause === 'refund' ? 'flat' : 'disputed', amountFt: wholeFt },
      ...(debtFt === 0 ? [] : [{ kind: 'debt', amountFt: -debtFt } as const]),
    ],
    bill: { kind: 'top-up', id: taken.document_id },
  }
}

type GivenBackRow = {
  product: Record<LineFacts['locale'], string> | null
  tier: PremiumTier | null
  price_ft: bigint
  kept_ft: bigint
  kept_spins_ft: bigint
  kept_discounts_ft: bigint
}
const GIVEN_BACK = {
  'server-refund': `select s.service_name as product, null as tier from control.server_refunds f
     join control.servers s on s.id = f.server_id where f.id = $1 and f.user_id = $2`,
  withdrawal: `select null as product, p.tier, p.price_ft, w.kept_ft, w.kept_spins_ft, w.kept_discounts_ft
     from control.premium_purchases p join control.withdrawals w on w.kind = 'premium' and w.document_id = p.id
     where p.id = $1 and p.user_id = $2`,
}

/** Refunds of a server by staff, and refunds of withdrawn premium tiers. */
async function explainGivenBack(
  sql: Sql,
  { line, id, what }: { line: LineFacts; id: string; what: keyof typeof GIVEN_BACK },
): Promise<Explained | undefined> {
  const [row] = await sql.query<GivenBackRow>(GIVEN_BACK[what], [id, line.userId])
  if (!row) return undefined
  const { tier } = row
  return {
    cause: 'given-back',
    product: tier === null ? (row.product?.[line.locale] ?? null) : `Premium ${TIER_NAMES[tier]}`,
    reason: what === 'server-refund' ? line.reason : null,
    formula: tier === null ? [{ kind: 'flat', amountFt: line.amountFt }] : formulaOfTier(row),
    ...(tier === null ? {} : { bill: { kind: 'premium', id } }),
  }
}

/** The price of the tier, less the kept part. */
function formulaOfTier(row: GivenBackRow): FormulaPart[] {
  const [spinsFt, discountsFt] = [Number(row.kept_spins_ft), Number(row.kept_discounts_ft)]
  const kept: FormulaPart[] = [
    { kind: 'kept-used', amountFt: -(Number(row.kept_ft) - spinsFt - discountsFt) },
    { kind: 'kept-spins', amountFt: -spinsFt },
    { kind: 'kept-discounts', amountFt: -discountsFt },
  ]
  return [{ kind: 'flat', amountFt: Number(row.price_ft) }, ...kept.filter(({ amountFt }) => amountFt !== 0)]
}
