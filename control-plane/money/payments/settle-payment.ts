import { assert } from '#domain/kernel/assert.ts'
import { decideLook, type DecidedLook, type PaymentLook } from '#domain/payments/payment-look.ts'
import { mismatchOf, type PaymentProblem } from '#domain/payments/payment-match.ts'
import { transactionStatus, type PaymentFacts, type PaymentState } from '#domain/payments/payment-state.ts'
import { disputeOfAll, refundedShareFt, type Reversal } from '#domain/payments/reversal.ts'
import { nextLookMs } from '#domain/payments/payment-window.ts'
import type { ObservedPayment } from './payment-provider.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { together } from '#platform/postgres/together.ts'
import { isErased } from '../../cms/cms-reader.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { creditPayment, tellFailure } from './credit-payment.ts'
import { followReversals } from './follow-reversals.ts'
import {
  dismissUnmatched,
  followUnmatched,
  isResolved,
  keepUnmatched,
  lockUnmatched,
  type UnmatchedRow,
} from './unmatched-payments.ts'
import type { PaymentContext } from './payment-context.ts'
import { creditedOf, factsOf, heldOf, observedFacts, SELECT_PAYMENT, watchOf, type PaymentRow } from './payment-row.ts'
import { keepReversals } from './provider-reversals.ts'
import { setStatementStatus } from '../wallet/statement.ts'

/**
 * Looks a payment up at its provider and applies the result. Called for every hint, for the customer's return and by
 * the reconciler, in any order and number: the money is posted once, under the provider's own id of the payment. A
 * settled payment is looked up again only with `evenSettled`, which finds refunds and disputes.
 */
export async function checkPayment(
  context: PaymentContext,
  paymentId: string,
  { evenSettled = false }: { evenSettled?: boolean } = {},
): Promise<PaymentState | undefined> {
  await context.faults('payment-settle.begin')
  const [payment] = await context.db.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1`, [paymentId])
  if (!payment || (payment.state === 'settled' && !evenSettled)) return payment?.state
  return lookAtPayment(context, payment)
}

/**
 * The same for a row that was read already, in any state. The writes of `besides` are committed together with the
 * result.
 */
export async function lookAtPayment(
  context: PaymentContext,
  payment: PaymentRow,
  besides: (tx: Sql) => Promise<unknown> = async () => {},
): Promise<PaymentState> {
  const observed = await observe(context, payment)
  await context.faults('payment-settle.fetched')
  const state = await context.db.transaction(async (tx) => {
    // They run one after the other, and each sees the commits before it.
    const [, isErasedAccount, [locked]] = await Promise.all([
      lockInOrder(tx, { person: payment.user_id }),
      isErased(tx, payment.user_id),
      tx.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1 for update`, [payment.id]),
      besides(tx),
    ])
    await context.faults('payment-settle.locked')
    assert(locked, 'A payment is never deleted.')
    return carryOut(tx, context, { payment: locked, observed, isErasedAccount })
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

type Seen = {
  readonly payment: PaymentRow
  readonly observed: ObservedPayment | undefined
  readonly isErasedAccount: boolean
}

/** The outcome of a lookup for the payment; with a problem nothing moves and staff must look at it. */
function decide(
  { payment, observed, isErasedAccount }: Seen,
  unmatched: UnmatchedRow | undefined,
  nowMs: number,
): DecidedLook {
  const expected = { id: payment.id, amountFt: payment.amount_ft, creditedFt: creditedOf(payment) }
  const look: PaymentLook = {
    known: factsOf(payment),
    seen: observed && observedFacts(observed),
    mismatch: observed ? mismatchOf(expected, observed) : null,
    unmatched: {
      isAssigned: unmatched?.state === 'assigned',
      isResolved: observed !== undefined && isResolved(unmatched, observed),
    },
    isErasedAccount,
    hasProblem: payment.problem !== null,
    watched: watchOf(payment),
  }
  return decideLook(look, nowMs)
}

async function carryOut(tx: Sql, context: PaymentContext, seen: Seen): Promise<PaymentState> {
  const { payment, observed } = seen
  const now = context.clock.now()
  const held = heldOf(payment)
  const money = { provider: held.provider, providerPaymentId: held.providerPaymentId }
  const [unmatched, reversals] = observed
    ? await Promise.all([lockUnmatched(tx, money), keepReversals(tx, context, { money, observed })])
    : [undefined, []]
  const { facts: decided, problem } = decide(seen, unmatched, now)
  const isSettled = decided.state === 'settled'
  const settles = isSettled && payment.state !== 'settled'
  const dispute = disputeOfAll(reversals.map(({ state }) => state))
  const listed = { refundedFt: refundedShareFt(held.creditedFt, reversals), dispute }
  const facts = observed && isSettled ? { ...decided, ...listed } : { ...factsOf(payment), state: decided.state }
  const fits = settles || (isSettled && observed?.state === 'settled' && problem === null)
  const keptProblem = unmatched && unmatched.state !== 'open' ? null : payment.problem
  await writeFacts(tx, { payment, facts, now, problem: fits ? null : (problem ?? keptProblem), observed })
  if (problem !== null && observed) await park(tx, context, { payment, observed, problem, reversals })
  else if (unmatched && !isSettled) await followUnmatched(tx, context, { money, reversals })
  await context.faults('payment-settle.state-written')
  if (facts.state !== payment.state) await followState(tx, context, { payment, state: facts.state })
  if (fits && payment.problem !== null) await dismissUnmatched(tx, context, payment)
  if (observed && isSettled) await followReversals(tx, context, { held, reversals })
  return facts.state
}

type Misfit = {
  readonly payment: PaymentRow
  readonly observed: ObservedPayment
  readonly problem: PaymentProblem
  readonly reversals: readonly Reversal[]
}

/** Stores a confirmed payment that does not match ours for staff. */
const park = (tx: Sql, context: PaymentContext, { payment, observed, problem, reversals }: Misfit): Promise<void> =>
  keepUnmatched(tx, context, {
    provider: payment.provider,
    providerPaymentId: payment.provider_payment_id ?? payment.id,
    problem,
    observed,
    paymentId: payment.id,
    userId: payment.user_id,
    reversals,
  })

async function writeFacts(
  tx: Sql,
  {
    payment,
    facts,
    now,
    problem,
    observed,
  }: Omit<Seen, 'isErasedAccount'> & { facts: PaymentFacts; now: number; problem: string | null },
): Promise<void> {
  const nextMs = facts.state === 'settled' ? null : nextLookMs(watchOf(payment), now)
  await tx.query(
    `update control.payments set state = $2, problem = $3, checks = checks + 1, next_check_at = $4, updated_at = $5,
       looked_at = $5, refunded_ft = $6, dispute = $7, failure_code = coalesce($8, failure_code), failures = 0,
       claimed_until = null,
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
  const noted = setStatementStatus(tx, context, { document: { kind: 'payment', id: payment.id }, status })
  if (state === 'settled') await together([noted, creditPayment(tx, context, payment)])
  else {
    await noted
    if (status === 'failed' && transactionStatus(payment.state) !== 'failed') await tellFailure(tx, context, payment)
  }
}
