import { BALANCE_CHANGE_TYPES, type BalanceChangeType } from '#contracts/gateway/events.ts'
import { assert } from '#domain/kernel/assert.ts'
import { forints } from '#domain/billing/money.ts'
import { invoiceOfTopUp } from '../invoices/invoice-requests.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import { topUpSettled } from '../ledger/postings.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { payDebt } from '../wallet/debt.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { taxOfTopUp } from '../tax/tax-of-sale.ts'
import type { PaymentContext } from './payment-context.ts'
import { creditedOf, type PaymentRow } from './payment-row.ts'
import { notifyUnlessErased, recordUnlessErased } from './unless-erased.ts'

/** Posts the money of a payment, pays a debt with it, tells its customer and issues the invoice where its tax is due now. */
export async function creditPayment(tx: Sql, context: PaymentContext, payment: PaymentRow): Promise<void> {
  const { id, user_id: userId, provider, request_id: requestId } = payment
  const amount = forints(creditedOf(payment))
  const data = { amount: Number(amount.minor) }
  await notifyUser(tx, context, { userId, text: 'topup.successful', data, requestId })
  const detail = { paymentId: id, amountFt: Number(amount.minor) }
  await recordActivity(tx, context, { userId, type: 'topup.settled', status: 'success', detail })
  await context.faults('payment-settle.notified')
  // From here on every payment of this provider waits for the account of what it owes, until the transaction ends.
  const ledger = context.ledgerOn(tx)
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: 'system', requestId }
  const providerPaymentId = payment.provider_payment_id ?? ''
  const posted = await ledger.post(topUpSettled(origin, { id, provider, providerPaymentId, userId, amount }))
  assert(posted.ok, 'A top-up only adds to a wallet, under a key that is its own.')
  await context.faults('payment-settle.money-moved')
  await payDebt(tx, context, { documentId: id, userId, requestId })
  const { available } = await ledger.userBalance(userId, 'HUF')
  const type = changeTypeOf(provider)
  await announceBalance(tx, context, { userId, type, change: amount, balance: available, requestId })
  const { tax, taxPoint } = await taxOfTopUp(tx, { paymentId: id, userId, atMs: origin.atMs })
  const facts = { userId, locale: payment.locale, requestId, performedAtMs: origin.atMs, tax, taxPoint }
  // Last: everybody else's invoices wait for this transaction from here on.
  await issueInvoice(tx, context, invoiceOfTopUp(facts, { id, provider, creditedFt: amount.minor }))
  await context.faults('payment-settle.invoiced')
  context.log.info({ requestId, paymentId: id, provider }, 'payment settled')
}

/** The word that a provider has among the reasons for which a balance moves. */
export function changeTypeOf(provider: string): BalanceChangeType {
  const type = BALANCE_CHANGE_TYPES.find((known) => known === provider)
  assert(type, 'Every provider is a type of balance change.')
  return type
}

export async function tellFailure(tx: Sql, context: PaymentContext, payment: PaymentRow): Promise<void> {
  const { id, user_id: userId, request_id: requestId } = payment
  const data = { amount: Number(payment.amount_ft) }
  await notifyUnlessErased(tx, context, { userId, text: 'topup.failed', data, requestId })
  const detail = { paymentId: id, amountFt: data.amount }
  await recordUnlessErased(tx, context, { userId, type: 'topup.failed', status: 'failure', detail })
}
