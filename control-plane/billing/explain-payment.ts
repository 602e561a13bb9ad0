import type { FormulaPart } from '#contracts/http/transaction-detail.ts'
import type { Sql } from '../platform/postgres.ts'
import type { Explained, LineFacts } from './explained.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const NAMED = new RegExp(`^(refund|chargeback|dispute-won|debt|unmatched):(${UUID})$`)

/** Top-ups, and what became of them later: refunds, money that a bank took, debts. */
export async function explainPayment(sql: Sql, line: LineFacts): Promise<Explained | undefined> {
  if (line.document.kind === 'payment') return explainTopUp(sql, line)
  const [, what, id] = NAMED.exec(line.document.id) ?? []
  if (what === undefined || id === undefined) return undefined
  if (what === 'refund') return explainRefund(sql, { line, id })
  if (what === 'debt') return { cause: 'debt-paid', formula: [{ kind: 'flat', amountFt: line.amountFt }] }
  if (what === 'unmatched')
    return { cause: 'top-up-assigned', method: line.paymentType, formula: [paid(line.amountFt)] }
  return explainDispute(sql, { line, id, cause: what === 'chargeback' ? 'charge-back' : 'dispute-won' })
}

const paid = (amountFt: number): FormulaPart => ({ kind: 'paid', amountFt })

type PaymentRow = { provider: string; provider_payment_id: string | null; amount_ft: bigint }

async function explainTopUp(sql: Sql, { document, userId, amountFt }: LineFacts): Promise<Explained | undefined> {
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

const LINE_OF_PAYMENT = `(select t.id from control.wallet_transactions t where t.document_kind = 'payment'
  and t.document_id = p.id::text and t.type = 'top-up' and t.user_id = p.user_id)`

type DisputeRow = { amount_ft: bigint; provider: string; provider_payment_id: string | null; line_id: string | null }

async function explainDispute(
  sql: Sql,
  { line, id, cause }: { line: LineFacts; id: string; cause: 'charge-back' | 'dispute-won' },
): Promise<Explained | undefined> {
  const [dispute] = await sql.query<DisputeRow>(
    `select c.amount_ft, p.provider, p.provider_payment_id, ${LINE_OF_PAYMENT} as line_id
     from control.chargebacks c join control.payments p on p.id = c.payment_id where c.payment_id = $1 and c.user_id = $2`,
    [id, line.userId],
  )
  if (!dispute) return undefined
  const wholeFt = Number(dispute.amount_ft)
  const debtFt = wholeFt - line.amountFt
  return {
    cause,
    method: dispute.provider,
    providerReference: dispute.provider_payment_id,
    paymentLineId: dispute.line_id,
    formula: [
      { kind: 'disputed', amountFt: wholeFt },
      ...(debtFt === 0 ? [] : [{ kind: 'debt', amountFt: -debtFt } as const]),
    ],
    bill: { kind: 'top-up', id },
  }
}
