import { assert } from '#domain/kernel/assert.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import type { Dispute } from '#domain/billing/payment-state.ts'
import type { PostResult } from '../ledger/ledger-store.ts'
import { chargebackClaimed, chargedBack, disputeWon, type ChargebackMoney } from '../ledger/payment-postings.ts'
import type { Sql } from '../platform/postgres.ts'
import { CHARGEBACK_REASON, correctTopUp, reissueTopUp } from './correct-top-up.ts'
import { freeMoneyFt, readDebtFt } from './debt.ts'
import { announceBalance, recordActivity } from './notify-user.ts'
import type { PaymentContext } from './payment-context.ts'
import { creditedOf, type PaymentRow } from './payment-row.ts'
import { sentBackFt } from './refund-rows.ts'
import { writeStatementLine } from './statement.ts'

type Followed = { readonly payment: PaymentRow; readonly dispute: Dispute }

/** Carries out what became of a dispute: the bank holds the money while it is open and when it is lost. */
export async function followDispute(tx: Sql, context: PaymentContext, { payment, dispute }: Followed): Promise<void> {
  if (dispute === 'won') return giveBack(tx, context, payment)
  if (payment.dispute === 'none') await takeBack(tx, context, payment)
}

type ChargebackRow = { user_id: string; amount_ft: bigint; written_off_ft: bigint; state: 'taken' | 'won' }

const originOf = ({ ids, clock }: PaymentContext, requestId: string) => ({
  id: ids.next(),
  atMs: clock.now(),
  actor: 'system',
  requestId,
})

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

async function takeBack(tx: Sql, context: PaymentContext, payment: PaymentRow): Promise<void> {
  const { id: paymentId, user_id: userId, provider, request_id: requestId } = payment
  // A refund on its way may still fail, and then its money comes back to the customer, where it pays the debt.
  const amountFt = creditedOf(payment) - (await sentBackFt(tx, paymentId))
  if (amountFt <= 0n) return
  const chargeback = { paymentId, provider, userId, amount: forints(amountFt) }
  const ledger = context.ledgerOn(tx)
  const lost = await ledger.post(chargedBack(originOf(context, requestId), chargeback))
  assert(lost.ok, 'A loss of the house is bounded by nothing.')
  await context.faults('chargeback.lost')
  const fromWallet = await claim(tx, context, { chargeback, requestId })
  await context.faults('chargeback.claimed')
  await tx.query(
    `insert into control.chargebacks (payment_id, user_id, amount_ft, from_wallet_ft, debt_ft, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [
      paymentId,
      userId,
      amountFt.toString(),
      fromWallet.minor.toString(),
      (amountFt - fromWallet.minor).toString(),
      new Date(context.clock.now()),
    ],
  )
  await tell(tx, context, { payment, amount: fromWallet, direction: 'down' })
  await context.faults('chargeback.written')
  const cause = { type: 'chargeback', id: paymentId } as const
  await correctTopUp(tx, context, { paymentId, amountFt, cause, reason: CHARGEBACK_REASON, requestId })
  const debtFt = Number(amountFt - fromWallet.minor)
  context.log.error({ requestId, paymentId, amountFt: Number(amountFt), debtFt }, 'a bank took a payment back')
}

const CLAIM_TRIES = 5

/** Takes what the wallet has free; what is spent meanwhile becomes debt, in the last try all of it. */
async function claim(
  tx: Sql,
  context: PaymentContext,
  { chargeback, requestId }: { chargeback: ChargebackMoney; requestId: string },
): Promise<Money> {
  const ledger = context.ledgerOn(tx)
  for (let tries = 1; ; tries += 1) {
    const free = tries < CLAIM_TRIES ? await freeMoneyFt(ledger, chargeback.userId) : 0n
    const fromWallet = forints(smaller(free, chargeback.amount.minor))
    const posted: PostResult = await ledger.post(
      chargebackClaimed(originOf(context, requestId), chargeback, fromWallet),
    )
    if (posted.ok) return fromWallet
    assert(posted.code === 'INSUFFICIENT_BALANCE', 'A claim is posted once for a payment.')
  }
}

async function giveBack(tx: Sql, context: PaymentContext, payment: PaymentRow): Promise<void> {
  const { id: paymentId, provider, request_id: requestId } = payment
  const [row] = await tx.query<ChargebackRow>(
    'select user_id, amount_ft, written_off_ft, state from control.chargebacks where payment_id = $1 for update',
    [paymentId],
  )
  if (!row || row.state === 'won') return
  const { user_id: userId, amount_ft: amountFt } = row
  const ledger = context.ledgerOn(tx)
  const dueFt = amountFt - row.written_off_ft
  const debt = forints(smaller(dueFt, await readDebtFt(ledger, userId)))
  const wallet = forints(dueFt - debt.minor)
  const chargeback = { paymentId, provider, userId, amount: forints(amountFt) }
  const posted = await ledger.post(disputeWon(originOf(context, requestId), chargeback, { debt, wallet }))
  assert(posted.ok, 'A dispute that is won only gives.')
  await context.faults('chargeback.given-back')
  await tx.query(`update control.chargebacks set state = 'won', updated_at = $2 where payment_id = $1`, [
    paymentId,
    new Date(context.clock.now()),
  ])
  await tell(tx, context, { payment, amount: wallet, direction: 'up' })
  await reissueTopUp(tx, context, { paymentId, amountFt })
}

/** The line of the statement, and the balance on open pages. What moved only a debt leaves the balance as it is. */
async function tell(
  tx: Sql,
  context: PaymentContext,
  { payment, amount, direction }: { payment: PaymentRow; amount: Money; direction: 'up' | 'down' },
): Promise<void> {
  const { id: paymentId, user_id: userId, request_id: requestId, provider } = payment
  const detail = { paymentId, amountFt: Number(amount.minor) }
  const type = direction === 'down' ? 'payment.taken-back' : 'payment.dispute-won'
  await recordActivity(tx, context, { userId, type, status: direction === 'up' ? 'success' : 'failure', detail })
  if (amount.minor === 0n) return
  await writeStatementLine(tx, context, {
    userId,
    type: 'correction',
    paymentType: provider,
    amountFt: direction === 'up' ? amount.minor : -amount.minor,
    status: 'finished',
    reason: direction === 'up' ? 'Dispute of a payment won' : 'A payment was taken back by the bank',
    document: { kind: 'none', id: `${direction === 'up' ? 'dispute-won' : 'chargeback'}:${paymentId}` },
  })
  const { available } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  const change = { userId, change: amount, balance: available, requestId }
  await announceBalance(tx, context, { ...change, type: `correction ${direction}` })
}
