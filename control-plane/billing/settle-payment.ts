import { assert } from '#domain/kernel/assert.ts'
import { mismatchOf, type PaymentProblem } from '#domain/billing/payment-match.ts'
import { mergeFacts, transactionStatus, type PaymentFacts, type PaymentState } from '#domain/billing/payment-state.ts'
import { isGivenUp, nextLookMs } from '#domain/billing/payment-window.ts'
import type { ObservedPayment } from '../payments/payment-provider.ts'
import type { Sql } from '../platform/postgres.ts'
import { followDispute } from './charge-back.ts'
import { creditPayment, tellFailure } from './credit-payment.ts'
import { dismissParked, parkMoney } from './park-money.ts'
import type { PaymentContext } from './payment-context.ts'
import { creditedOf, factsOf, observedFacts, SELECT_PAYMENT, watchOf, type PaymentRow } from './payment-row.ts'
import { noteForeignRefund } from './refund-rows.ts'
import { setStatementStatus } from './statement.ts'

/**
 * Asks the provider what became of a payment and carries it out. Called for every hint, for the customer's return and by
 * the reconciler, in any order and any number: the money is posted once, under the provider's own id of the payment. A
 * settled payment is asked about again only with `evenSettled`, which is how refunds and disputes become known.
 */
export async function checkPayment(
  context: PaymentContext,
  paymentId: string,
  { evenSettled = false }: { evenSettled?: boolean } = {},
): Promise<PaymentState | undefined> {
  await context.faults('payment-settle.begin')
  const [payment] = await context.db.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1`, [paymentId])
  if (!payment || (payment.state === 'settled' && !evenSettled)) return payment?.state
  const observed = await observe(context, payment)
  await context.faults('payment-settle.fetched')
  const state = await context.db.transaction(async (tx) => {
    const [locked] = await tx.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1 for update`, [paymentId])
    await context.faults('payment-settle.locked')
    assert(locked, 'A payment is never deleted.')
    return carryOut(tx, context, { payment: locked, observed })
  })
  await context.faults('payment-settle.committed')
  return state
}

async function observe(context: PaymentContext, payment: PaymentRow): Promise<ObservedPayment | undefined> {
  const provider = context.providers.find(payment.provider)
  if (!provider || payment.provider_payment_id === null) return undefined
  const { id: paymentId, provider_payment_id: providerPaymentId } = payment
  return (await provider.fetchState({ paymentId, providerPaymentId })) ?? undefined
}

type Seen = { readonly payment: PaymentRow; readonly observed: ObservedPayment | undefined }
type Decided = { readonly facts: PaymentFacts; readonly problem: PaymentProblem | null }

/** What the look means for the payment; with a problem nothing moves and a person must look at it. */
function decide({ payment, observed }: Seen, nowMs: number): Decided {
  const known = factsOf(payment)
  const seen = observed ? mergeFacts(known, observedFacts(observed)) : known
  if (observed && seen.state === 'settled' && known.state !== 'settled') {
    const expected = { id: payment.id, amountFt: payment.amount_ft, creditedFt: creditedOf(payment) }
    const problem = mismatchOf(expected, observed)
    return problem === null ? { facts: seen, problem } : { facts: known, problem }
  }
  const isOpen = transactionStatus(seen.state) === 'processing'
  // Money that does not fit is here: its payment is neither paid nor failed.
  const expires = isOpen && payment.problem === null && isGivenUp(watchOf(payment), nowMs)
  return { facts: expires ? { ...seen, state: 'expired' } : seen, problem: null }
}

async function carryOut(tx: Sql, context: PaymentContext, seen: Seen): Promise<PaymentState> {
  const { payment, observed } = seen
  const now = context.clock.now()
  const { facts, problem } = decide(seen, now)
  const settles = facts.state === 'settled' && payment.state !== 'settled'
  await writeFacts(tx, { payment, facts, now, problem: settles ? null : (problem ?? payment.problem), observed })
  if (problem !== null && observed) await parkMoney(tx, context, { payment, observed, problem })
  await context.faults('payment-settle.state-written')
  if (facts.state !== payment.state) await followState(tx, context, { payment, state: facts.state })
  if (settles && payment.problem !== null) await dismissParked(tx, context, payment)
  if (facts.dispute !== payment.dispute) await followDispute(tx, context, { payment, dispute: facts.dispute })
  if (observed && facts.refundedFt > payment.refunded_ft) {
    await noteForeignRefund(tx, context, { payment, observed, refundedFt: facts.refundedFt })
  }
  return facts.state
}

async function writeFacts(
  tx: Sql,
  { payment, facts, now, problem, observed }: Seen & { facts: PaymentFacts; now: number; problem: string | null },
): Promise<void> {
  const nextMs = facts.state === 'settled' ? null : nextLookMs(watchOf(payment), now)
  await tx.query(
    `update control.payments set state = $2, problem = $3, checks = checks + 1, next_check_at = $4, updated_at = $5,
       looked_at = $5, refunded_ft = $6, dispute = $7, failure_code = coalesce($8, failure_code),
       settled_at = case when $2 = 'settled' then coalesce(settled_at, $5) else settled_at end
     where id = $1`,
    [
      payment.id,
      facts.state,
      problem,
      nextMs === null ? 'infinity' : new Date(nextMs),
      new Date(now),
      facts.refundedFt.toString(),
      facts.dispute,
      observed?.failureCode ?? null,
    ],
  )
}

async function followState(
  tx: Sql,
  context: PaymentContext,
  { payment, state }: { payment: PaymentRow; state: PaymentState },
): Promise<void> {
  const status = transactionStatus(state)
  await setStatementStatus(tx, context, { document: { kind: 'payment', id: payment.id }, status })
  if (state === 'settled') await creditPayment(tx, context, payment)
  else if (status === 'failed' && transactionStatus(payment.state) !== 'failed') await tellFailure(tx, context, payment)
}
