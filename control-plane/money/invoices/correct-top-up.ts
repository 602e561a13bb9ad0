import type { TaxPoint } from '#contracts/invoicing.ts'
import { LOCALES, type Locale, type LocalizedText } from '#contracts/locale.ts'
import { invoiceOfTopUp } from './invoice-requests.ts'
import { reissuedId } from './correct-invoice.ts'
import { issueInvoice } from './issue-invoice.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { correctSale, recordGivenBack, standsFt, undoReturn, type ReturnCause, type SaleRef } from './correct-sale.ts'
import { taxOfCustomer, taxOfRow } from '../tax/tax-of-sale.ts'

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
  /** The payment, or the unmatched payment if staff assigned one. */
  readonly documentId: string
  readonly amountFt: bigint
  readonly cause: ReturnCause
  readonly reason: LocalizedText
  readonly requestId: string
}

/**
 * Corrects the invoice of a top-up for money that left again, once per cause. A bank and a pending refund may take the
 * same money: the invoice is never corrected below zero. Last in its transaction.
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
  /** Null: credited by a previous release. */
  tax_point: TaxPoint | null
  /** Whether its own invoice was issued, and whether it waits for the seller. */
  was_issued: boolean
  is_waiting: boolean
}

/**
 * An assigned payment has no tax of its own: its invoice's counts, even if the customer's profile has changed since.
 */
const TAX_OF_INVOICE = `(select jsonb_strip_nulls(jsonb_build_object('kind', i.tax_kind, 'ruleId', i.tax_rule, 'version',
    i.tax_rule_version, 'country', i.tax_country, 'rateBasisPoints', i.rate_basis_points, 'vatNumber', i.vat_number))
  from control.invoices i where i.kind = 'invoice' and i.document_kind = 'top-up' and i.document_id = $1::text)`

const readTopUp = async (tx: Sql, documentId: string): Promise<TopUp | undefined> => {
  const [topUp] = await tx.query<TopUp>(
    `select t.user_id, t.provider, t.locale, t.request_id, t.tax_point, coalesce(t.tax, ${TAX_OF_INVOICE}) as tax, exists (select from control.invoices i where i.kind = 'invoice' and i.document_kind = 'top-up'
         and i.document_id = $1::text) as was_issued,
       exists (select from control.invoices_waiting w where w.document_kind = 'top-up' and w.document_id = $1::text) as is_waiting
     from (select user_id, provider, locale, request_id, tax, tax_point from control.payments where id = $1::text::uuid
       union all select user_id, provider, null, id::text, null, tax_point from control.unmatched_payments
         where id = $1::text::uuid and state = 'assigned') t`,
    [documentId],
  )
  return topUp
}

/**
 * Money that had been returned arrived again: a dispute was won, or a refund did not arrive. The corrected amount is
 * invoiced anew; a waiting invoice that was dropped with the money is requested again. Amounts that were returned
 * meanwhile without anything left to correct are not reissued. Last in its transaction.
 */
export async function reissueTopUp(
  tx: Sql,
  context: Correcting,
  { documentId, cause }: Pick<TopUpBack, 'documentId' | 'cause'>,
): Promise<void> {
  const undone = await undoReturn(tx, context, { sale: { kind: 'top-up', id: documentId }, cause })
  const topUp = undone && (await readTopUp(tx, documentId))
  if (!undone || !topUp) return
  const { undoneFt, isDocumented } = undone
  // A document that the return still waited for is not made any more: no invoice lacks the amount.
  const isStanding = topUp.is_waiting || (topUp.was_issued && !isDocumented)
  const creditedFt = undoneFt - (await takeWhatIsAway(tx, context, { documentId, cause, undoneFt, isStanding, topUp }))
  if (creditedFt === 0n || isStanding) return
  const { user_id: userId, provider, request_id: requestId } = topUp
  const performedAtMs = context.clock.now()
  const tax = topUp.tax === null ? await taxOfCustomer(tx, { userId, atMs: performedAtMs }) : taxOfRow(topUp.tax)
  const id = topUp.was_issued ? reissuedId(documentId, cause.id) : documentId
  // Only amounts that were invoiced at the time of payment are invoiced again, whatever the current settings say.
  const taxPoint = topUp.was_issued ? 'at_topup' : (topUp.tax_point ?? undefined)
  const facts = { userId, locale: topUp.locale ?? LOCALES[0], requestId, performedAtMs, tax, taxPoint }
  await issueInvoice(tx, context, invoiceOfTopUp(facts, { id, provider, creditedFt }))
}

type Standing = Pick<TopUpBack, 'documentId' | 'cause'> & {
  readonly undoneFt: bigint
  /** Whether an invoice of the amount stands, or waits for the seller. */
  readonly isStanding: boolean
  readonly topUp: TopUp
}
type Away = { type: ReturnCause['type']; id: string; missing_ft: bigint; is_known: boolean }

/**
 * Records returns of a top-up that could not be corrected earlier, because the bank had taken all of it. Returns the
 * amount.
 */
async function takeWhatIsAway(tx: Sql, context: Correcting, standing: Standing): Promise<bigint> {
  const { documentId, cause, undoneFt, isStanding, topUp } = standing
  const sale: SaleRef = { kind: 'top-up', id: documentId }
  let takenFt = 0n
  for (const { type, id, missing_ft: missingFt, is_known: isKnown } of await readAway(tx, documentId)) {
    const leftFt = undoneFt - takenFt
    const givenBackFt = missingFt < leftFt ? missingFt : leftFt
    if (givenBackFt === 0n) break
    const given = { sale, givenBackFt, cause: { type, id: isKnown ? `${id}:after:${cause.id}` : id } }
    const reason = type === 'chargeback' ? CHARGEBACK_REASON : REFUND_REASON
    // An invoice that stands is corrected, a waiting one after it is issued; otherwise the new one is smaller by that amount.
    if (isStanding) await correctSale(tx, context, { ...given, reason, requestId: topUp.request_id })
    else await recordGivenBack(tx, context, given)
    takenFt += givenBackFt
  }
  return takenFt
}

const readAway = (tx: Sql, documentId: string): Promise<Away[]> =>
  tx.query<Away>(
    `select a.type, a.id, (a.amount_ft - coalesce(sum(c.given_back_ft), 0))::bigint as missing_ft, count(c.id) > 0 as is_known
     from (select 'refund' as type, id::text as id, amount_ft, created_at from control.refunds
             where payment_id = $1::uuid and state = 'succeeded'
           union all
           select case kind when 'dispute' then 'chargeback' else 'foreign-refund' end, id::text, amount_ft, created_at
             from control.chargebacks where coalesce(payment_id, unmatched_id) = $1::uuid and state = 'taken') a
       left join control.sale_corrections c on c.sale_kind = 'top-up' and c.sale_id = $1::uuid::text and c.cause_type = a.type
         and (c.cause_id = a.id or starts_with(c.cause_id, a.id || ':after:')) and c.undone_at is null
     group by a.type, a.id, a.amount_ft, a.created_at having a.amount_ft > coalesce(sum(c.given_back_ft), 0)
     order by a.created_at, a.id`,
    [documentId],
  )
