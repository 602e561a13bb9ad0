import { LOCALES, type Locale, type LocalizedText } from '#contracts/locale.ts'
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
  /** The payment; of parked money that staff assigned the parked row. */
  readonly documentId: string
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
  const { documentId, amountFt, cause, reason, requestId } = back
  const sale: SaleRef = { kind: 'top-up', id: documentId }
  const stands = await standsFt(tx, { sale, cause })
  const givenBackFt = amountFt < stands ? amountFt : stands
  if (givenBackFt <= 0n) return
  await correctSale(tx, context, { sale, givenBackFt, cause, reason, requestId })
}

type TopUp = {
  user_id: string
  provider: string
  locale: Locale | null
  request_id: string
  tax: unknown
  was_corrected: boolean
}

/**
 * Money that had gone back came again: a dispute was won, or a refund did not arrive. What was taken off the invoice stands on a new one; an
 * invoice that waited for the seller and was forgotten with the money is asked for again. Last in its transaction.
 */
export async function reissueTopUp(
  tx: Sql,
  context: Correcting,
  { documentId, cause }: Pick<TopUpBack, 'documentId' | 'cause'>,
): Promise<void> {
  const creditedFt = await undoReturn(tx, context, { sale: { kind: 'top-up', id: documentId }, cause })
  if (creditedFt === undefined) return
  const [topUp] = await tx.query<TopUp>(
    `select t.*, exists (select from control.invoices i where i.document_kind = 'top-up' and i.document_id = $1::text
         and i.correction_cause = $2) as was_corrected
     from (select user_id, provider, locale, request_id, tax from control.payments where id = $1::text::uuid
       union all select user_id, provider, null, id::text, null from control.unmatched_payments
         where id = $1::text::uuid and state = 'assigned') t
     where not exists (select from control.invoices_waiting w where w.document_kind = 'top-up' and w.document_id = $1::text)`,
    [documentId, `${cause.type}:${cause.id}`],
  )
  if (!topUp) return
  const { user_id: userId, provider, request_id: requestId } = topUp
  const performedAtMs = context.clock.now()
  const tax = topUp.tax === null ? await taxOfCustomer(tx, { userId, atMs: performedAtMs }) : taxOfRow(topUp.tax)
  const facts = { userId, locale: topUp.locale ?? LOCALES[0], requestId, performedAtMs, tax }
  const id = topUp.was_corrected ? reissuedId(documentId, cause.id) : documentId
  await issueInvoice(tx, context, invoiceOfTopUp(facts, { id, provider, creditedFt }))
}
