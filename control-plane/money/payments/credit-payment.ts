import { BALANCE_CHANGE_TYPES, type BalanceChangeType } from '#contracts/gateway/events.ts'
import { assert } from '#domain/kernel/assert.ts'
import { debtPaidBy } from '#domain/billing/debt.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { needsInvoice } from '#domain/billing/tax-point.ts'
import { invoiceOfTopUp } from '../invoices/invoice-requests.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { topUpSettled } from '../ledger/postings.ts'
import { freeMoneyFt, payDebt, readDebtFt } from '../wallet/debt.ts'
import { tellAtOnce } from '../../messages/notices/tell-at-once.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { together } from '#platform/postgres/together.ts'
import { keepTaxOfTopUp, taxOfTopUp } from '../tax/tax-of-sale.ts'
import type { PaymentContext } from './payment-context.ts'
import { creditedOf, type PaymentRow } from './payment-row.ts'
import { notifyUnlessErased, recordUnlessErased } from './unless-erased.ts'

/**
 * Posts the money of a payment, pays a debt with it, notifies its customer and issues the invoice if its tax is due
 * now. Steps that block nobody are written before the posting, on the customer's own locked accounts.
 */
export async function creditPayment(tx: Sql, context: PaymentContext, payment: PaymentRow): Promise<void> {
  const { id, user_id: userId, provider, request_id: requestId } = payment
  const amount = forints(creditedOf(payment))
  const atMs = context.clock.now()
  const [, decided, after] = await Promise.all([
    lockInOrder(tx, { wallet: userId }),
    taxOfTopUp(tx, { userId, atMs }),
    availableAfter(context.ledgerOn(tx), userId, amount),
  ])
  const origin = { id: context.ids.next(), atMs, actor: 'system', requestId }
  const providerPaymentId = payment.provider_payment_id ?? ''
  const posting = topUpSettled(origin, { id, provider, providerPaymentId, userId, amount })
  // The posting is sent last: from there on every payment of this provider waits for its receivable account, until the
  // transaction ends.
  const [, , posted] = await together([
    keepTaxOfTopUp(tx, { paymentId: id, ...decided }),
    tell(tx, context, { payment, amount, balance: after }).then(() => context.faults('payment-settle.notified')),
    context.ledgerOn(tx).post(posting),
  ])
  assert(posted.ok, 'A top-up only adds to a wallet, under a key that is its own.')
  await context.faults('payment-settle.money-moved')
  if (after.debtFt > 0n) await payDebt(tx, context, { documentId: id, userId, requestId })
  const { tax, taxPoint } = decided
  if (needsInvoice({ cause: 'top-up', taxPoint, grossFt: amount.minor })) {
    const facts = { userId, locale: payment.locale, requestId, performedAtMs: atMs, tax, taxPoint }
    // Last: from here on all other invoices wait for this transaction.
    await issueInvoice(tx, context, invoiceOfTopUp(facts, { id, provider, creditedFt: amount.minor }))
  }
  await context.faults('payment-settle.invoiced')
  context.log.info({ requestId, paymentId: id, provider }, 'payment settled')
}

type After = { readonly debtFt: bigint; readonly available: Money }

/** The spendable balance once the money has arrived and paid the debt, which is `debtFt`. */
async function availableAfter(ledger: Ledger, userId: string, amount: Money): Promise<After> {
  const [debtFt, freeFt, { available }] = await Promise.all([
    readDebtFt(ledger, userId),
    freeMoneyFt(ledger, userId),
    ledger.userBalance(userId, 'HUF'),
  ])
  return { debtFt, available: forints(available.minor + amount.minor - debtPaidBy(debtFt, freeFt + amount.minor)) }
}

async function tell(
  tx: Sql,
  context: PaymentContext,
  { payment, amount, balance }: { payment: PaymentRow; amount: Money; balance: After },
): Promise<void> {
  const { id, user_id: userId, provider, request_id: requestId } = payment
  const amountFt = Number(amount.minor)
  await tellAtOnce(tx, context, {
    userId,
    requestId,
    doneBy: 'system',
    notices: [{ text: 'topup.successful', data: { amount: amountFt } }],
    activity: { type: 'topup.settled', status: 'success', detail: { paymentId: id, amountFt } },
    balance: { type: changeTypeOf(provider), change: amount, balance: balance.available },
  })
}

/** The provider's name among the reasons of balance changes. */
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
