import type { Locale, LocalizedText } from '#contracts/locale.ts'
import { invoiceOfTopUp } from '../invoices/invoice-requests.ts'
import { reissuedId } from '../invoices/correct-invoice.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import type { Context } from '../platform/context.ts'
import type { Sql } from '../platform/postgres.ts'
import { correctSale, standsFt, undoReturn, type ReturnCause, type SaleRef } from './correct-sale.ts'
import { taxOfCustomer, taxOfRow } from './tax-of-sale.ts'

export const REFUND_REASON: LocalizedText = {
  en: 'Refund to where the payment came from',
  hu: 'Visszatérítés oda, ahonnan a fizetés érkezett',
  de: 'Erstattung dorthin, woher die Zahlung kam',
}
export const CHARGEBACK_REASON: LocalizedText = {
  en: 'The bank took the payment back',
  hu: 'A bank visszavette a fizetést',
  de: 'Die Bank hat die Zahlung zurückgeholt',
}

type Correcting = Pick<Context, 'ids' | 'clock' | 'log' | 'faults'>

export type TopUpBack = {
  readonly paymentId: string
  readonly amountFt: bigint
  readonly cause: ReturnCause
  readonly reason: LocalizedText
  readonly requestId: string
}

/**
 * Corrects the invoice of a top-up for money that left again, once for each cause. A bank and a refund that was on its way may take the same
 * money: no more is taken off the invoice than stands on it. Last in its transaction.
 */
export async function correctTopUp(tx: Sql, context: Correcting, back: TopUpBack): Promise<void> {
  const { paymentId, amountFt, cause, reason, requestId } = back
  const sale: SaleRef = { kind: 'top-up', id: paymentId }
  const stands = await standsFt(tx, { sale, cause })
  const givenBackFt = amountFt < stands ? amountFt : stands
  if (givenBackFt <= 0n) return
  await correctSale(tx, context, { sale, givenBackFt, cause, reason, requestId })
}

type Payment = {
  user_id: string
  provider: string
  locale: Locale
  request_id: string
  tax: unknown
  was_corrected: boolean
  is_invoiced: boolean
}

/**
 * The bank gave a payment back to the house. What was taken off its invoice stands on a new one; an invoice that waited for the seller
 * and was forgotten with the money is asked for again. Last in its transaction.
 */
export async function reissueTopUp(
  tx: Sql,
  context: Correcting,
  { paymentId, amountFt }: { paymentId: string; amountFt: bigint },
): Promise<void> {
  const cause = { type: 'chargeback', id: paymentId } as const
  await undoReturn(tx, context, { sale: { kind: 'top-up', id: paymentId }, cause })
  const [payment] = await tx.query<Payment>(
    `select p.user_id, p.provider, p.locale, p.request_id, p.tax,
       exists (select from control.invoices i where i.document_kind = 'top-up' and i.document_id = p.id::text
         and i.correction_cause = $2) as was_corrected,
       exists (select from control.invoices i where i.document_kind = 'top-up' and i.document_id = p.id::text)
         or exists (select from control.invoices_waiting w where w.document_kind = 'top-up' and w.document_id = p.id::text)
         as is_invoiced
     from control.payments p where p.id = $1`,
    [paymentId, `${cause.type}:${cause.id}`],
  )
  if (!payment || (payment.is_invoiced && !payment.was_corrected)) return
  const { user_id: userId, provider, locale, request_id: requestId } = payment
  const performedAtMs = context.clock.now()
  const tax = payment.tax === null ? await taxOfCustomer(tx, { userId, atMs: performedAtMs }) : taxOfRow(payment.tax)
  const facts = { userId, locale, requestId, performedAtMs, tax }
  const id = payment.was_corrected ? reissuedId(paymentId) : paymentId
  await issueInvoice(tx, context, invoiceOfTopUp(facts, { id, provider, creditedFt: amountFt }))
}
