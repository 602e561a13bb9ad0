import { LOCALES, type Locale } from '#contracts/locale.ts'
import { invoiceOfTopUp } from './invoice-requests.ts'
import { issueInvoice } from './issue-invoice.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { keepTaxOfAssigned, keepTaxOfTopUp, taxOfTopUp } from '../tax/tax-of-sale.ts'

type Row = { user_id: string; provider: string; credited_ft: bigint; payment_id: string | null; locale: Locale | null }

/**
 * Issues the invoice of an unmatched payment that staff assigned, if tax is due on receipt. Its document is the payment
 * that it settled or, for an additional amount, the unmatched payment itself. Last in its transaction.
 */
export async function invoiceAssigned(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock' | 'log' | 'faults'>,
  { unmatchedId, requestId }: { unmatchedId: string; requestId: string },
): Promise<void> {
  const [row] = await tx.query<Row>(
    `select u.user_id, u.provider, u.credited_ft, p.id as payment_id, p.locale from control.unmatched_payments u
       left join control.payments p
         on p.id = u.payment_id and p.user_id = u.user_id and p.provider_payment_id = u.provider_payment_id
     where u.id = $1 and u.state = 'assigned'`,
    [unmatchedId],
  )
  if (!row) return
  const { user_id: userId, provider, payment_id: paymentId } = row
  const atMs = context.clock.now()
  const { tax, taxPoint } = await taxOfTopUp(tx, { userId, atMs })
  await (paymentId === null
    ? keepTaxOfAssigned(tx, { unmatchedId, taxPoint })
    : keepTaxOfTopUp(tx, { paymentId, tax, taxPoint }))
  // A person without a chosen language gets the first one.
  const facts = { userId, locale: row.locale ?? LOCALES[0], requestId, performedAtMs: atMs, tax, taxPoint }
  const document = { id: paymentId ?? unmatchedId, provider, creditedFt: row.credited_ft }
  await issueInvoice(tx, context, invoiceOfTopUp(facts, document))
}
