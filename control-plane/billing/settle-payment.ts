import { BALANCE_CHANGE_TYPES, type BalanceChangeType } from '#contracts/gateway/events.ts'
import type { Locale } from '#contracts/locale.ts'
import { assert } from '#domain/kernel/assert.ts'
import { forints } from '#domain/billing/money.ts'
import { nextPaymentState, transactionStatus, type PaymentState } from '#domain/billing/payment-state.ts'
import { invoiceOfTopUp } from '../invoices/invoice-requests.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import { topUpSettled } from '../ledger/postings.ts'
import type { ObservedPayment } from '../payments/payment-provider.ts'
import type { Sql } from '../platform/postgres.ts'
import { announceBalance, notifyUser, recordActivity } from './notify-user.ts'
import type { PaymentContext } from './payment-context.ts'
import { setStatementStatus } from './statement.ts'

type PaymentRow = {
  id: string
  user_id: string
  provider: string
  provider_payment_id: string | null
  amount_ft: bigint
  state: PaymentState
  problem: string | null
  checks: number
  created_at: Date
  request_id: string
  locale: Locale
}

const COLUMNS =
  'select locale, id, user_id, provider, provider_payment_id, amount_ft, state, problem, checks, created_at, request_id from control.payments'

const MAX_CHECK_DELAY_MS = 60 * 60 * 1000
const FIRST_DELAY_MS = 30_000
/** A payment that was never opened at the provider is given up after this time. */
const UNOPENED_MS = 60 * 60 * 1000

/**
 * Asks the provider what became of a payment and carries it out. Called for every hint, for the customer's return and by
 * the reconciler, in any order and any number: the money is posted once, under the provider's own id of the payment.
 */
export async function checkPayment(context: PaymentContext, paymentId: string): Promise<PaymentState | undefined> {
  await context.faults('payment-settle.begin')
  const [payment] = await context.db.query<PaymentRow>(`${COLUMNS} where id = $1`, [paymentId])
  if (!payment || payment.state === 'settled') return payment?.state
  const observed = await observe(context, payment)
  await context.faults('payment-settle.fetched')
  const state = await context.db.transaction(async (tx) => {
    const [locked] = await tx.query<PaymentRow>(`${COLUMNS} where id = $1 for update`, [paymentId])
    await context.faults('payment-settle.locked')
    assert(locked, 'A payment is never deleted.')
    return carryOut(tx, context, { payment: locked, observed })
  })
  await context.faults('payment-settle.committed')
  return state
}

/** A hint from outside: looks at the payment that it names. Unknown payments change nothing and cause no call outside. */
export async function checkHint(
  context: PaymentContext,
  { provider, providerPaymentId }: { provider: string; providerPaymentId: string },
): Promise<void> {
  const [payment] = await context.db.query<{ id: string }>(
    'select id from control.payments where provider = $1 and provider_payment_id = $2',
    [provider, providerPaymentId],
  )
  if (payment) await checkPayment(context, payment.id)
  else context.log.warn({ provider }, 'a hint names a payment that does not exist')
}

async function observe(context: PaymentContext, payment: PaymentRow): Promise<ObservedPayment | undefined> {
  const provider = context.providers.find(payment.provider)
  if (!provider || payment.provider_payment_id === null) return undefined
  return provider.fetchState(payment.provider_payment_id)
}

async function carryOut(
  tx: Sql,
  context: PaymentContext,
  { payment, observed }: { payment: PaymentRow; observed: ObservedPayment | undefined },
): Promise<PaymentState> {
  const now = context.clock.now()
  const problem = observed ? problemOf(payment, observed) : null
  const seen = observed?.state ?? (now - payment.created_at.getTime() > UNOPENED_MS ? 'expired' : payment.state)
  // What does not fit the order is neither paid nor failed: a person must look at it.
  const state = problem === null ? nextPaymentState(payment.state, seen) : payment.state
  const delay = Math.min(MAX_CHECK_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(payment.checks, 10))
  await tx.query(
    `update control.payments set state = $2, problem = $3, checks = checks + 1, next_check_at = $4, updated_at = $5
     where id = $1`,
    [payment.id, state, problem, new Date(now + delay), new Date(now)],
  )
  if (problem !== null && payment.problem === null) {
    context.log.error({ paymentId: payment.id, problem, requestId: payment.request_id }, 'payment needs a person')
  }
  await context.faults('payment-settle.state-written')
  if (state === payment.state) return state
  await setStatementStatus(tx, context, {
    document: { kind: 'payment', id: payment.id },
    status: transactionStatus(state),
  })
  if (state === 'settled') await credit(tx, context, payment)
  else if (transactionStatus(state) === 'failed') await tellFailure(tx, context, payment)
  return state
}

/** Why the provider's answer does not belong to our payment, or null. Only a settlement can move money, so only it is held. */
function problemOf(payment: PaymentRow, observed: ObservedPayment): string | null {
  if (observed.state !== 'settled') return payment.problem
  if (observed.reference !== payment.id) return 'REFERENCE_MISMATCH'
  const { minor, currency } = observed.amount
  return minor === payment.amount_ft && currency === 'HUF' ? null : 'AMOUNT_MISMATCH'
}

async function credit(tx: Sql, context: PaymentContext, payment: PaymentRow): Promise<void> {
  const { id, user_id: userId, provider, request_id: requestId } = payment
  const amount = forints(payment.amount_ft)
  const ledger = context.ledgerOn(tx)
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: 'system', requestId }
  const providerPaymentId = payment.provider_payment_id ?? ''
  const posted = await ledger.post(topUpSettled(origin, { id, provider, providerPaymentId, userId, amount }))
  assert(posted.ok, 'A top-up only adds to a wallet, under a key that is its own.')
  await context.faults('payment-settle.money-moved')
  const { available } = await ledger.userBalance(userId, 'HUF')
  const type = changeTypeOf(provider)
  await announceBalance(tx, context, { userId, type, change: amount, balance: available, requestId })
  const data = { amount: Number(amount.minor) }
  await notifyUser(tx, context, { userId, text: 'topup.successful', data, requestId })
  const detail = { paymentId: id, amountFt: Number(amount.minor) }
  await recordActivity(tx, context, { userId, type: 'topup.settled', status: 'success', detail })
  await context.faults('payment-settle.notified')
  const facts = { userId, locale: payment.locale, requestId, performedAtMs: origin.atMs }
  // Last: everybody else's invoices wait for this transaction from here on.
  await issueInvoice(tx, context, invoiceOfTopUp(facts, { id, provider, creditedFt: amount.minor }))
  await context.faults('payment-settle.invoiced')
  context.log.info({ requestId, paymentId: id, provider }, 'payment settled')
}

function changeTypeOf(provider: string): BalanceChangeType {
  const type = BALANCE_CHANGE_TYPES.find((known) => known === provider)
  assert(type, 'Every provider is a type of balance change.')
  return type
}

async function tellFailure(tx: Sql, context: PaymentContext, payment: PaymentRow): Promise<void> {
  const { id, user_id: userId, request_id: requestId } = payment
  const data = { amount: Number(payment.amount_ft) }
  await notifyUser(tx, context, { userId, text: 'topup.failed', data, requestId })
  const detail = { paymentId: id, amountFt: data.amount }
  await recordActivity(tx, context, { userId, type: 'topup.failed', status: 'failure', detail })
}

const RECONCILE_BATCH = 100
/** Failed and expired payments are watched this long for a late settlement. */
const WATCH_MS = 7 * 24 * 60 * 60 * 1000

/** Looks at every payment that is due. One that goes wrong is logged and does not stop the others. */
export async function reconcilePayments(context: PaymentContext): Promise<number> {
  const now = context.clock.now()
  const due = await context.db.query<{ id: string }>(
    `select id from control.payments where state <> 'settled' and next_check_at <= $1 and created_at > $2
     order by next_check_at limit ${RECONCILE_BATCH}`,
    [new Date(now), new Date(now - WATCH_MS)],
  )
  let checked = 0
  for (const { id } of due) {
    try {
      await checkPayment(context, id)
      checked += 1
    } catch (error) {
      context.log.warn({ paymentId: id, reason: String(error) }, 'a payment could not be looked at')
      await postpone(context, id)
    }
  }
  return checked
}

/** A payment that cannot be looked at must not stand first in every batch. */
async function postpone({ db, clock }: PaymentContext, paymentId: string): Promise<void> {
  await db.query('update control.payments set checks = checks + 1, next_check_at = $2 where id = $1', [
    paymentId,
    new Date(clock.now() + FIRST_DELAY_MS),
  ])
}
