import { assert } from '#domain/kernel/assert.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import {
  chargebackClaimed,
  chargedBack,
  disputeWon,
  elsewhereReturned,
  refundedElsewhere,
  type TakenBackMoney,
} from '../ledger/payment-postings.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { freeMoneyFt, readDebtFt } from '../wallet/debt.ts'
import { moneyCameAgain, moneyWentBack, type MoneyMoved, type Movement } from './money-back.ts'
import { announceBalance } from '../../messages/notices/notify-user.ts'
import type { PaymentContext } from './payment-context.ts'
import { noteRefunded, writeStatementLine } from '../wallet/statement.ts'

/** Provider money that was credited to a customer. */
export type HeldMoney = {
  /** The payment, or the unmatched payment if staff assigned one. */
  readonly documentId: string
  readonly paymentId: string | null
  readonly userId: string
  readonly provider: string
  readonly providerPaymentId: string
  readonly creditedFt: bigint
  readonly requestId: string
}

/** The cause: a dispute, or a refund not made by Bakter. `id` is the provider's own. */
export type TakeBackSource = { readonly kind: 'dispute' | 'refund'; readonly id: string }

export type TakenBack = {
  readonly id: string
  readonly kind: TakeBackSource['kind']
  readonly source_id: string
  readonly user_id: string
  readonly amount_ft: bigint
  readonly debt_ft: bigint
  readonly written_off_ft: bigint
  readonly state: 'taken' | 'won' | 'returned'
}

export const readTakenBack = (tx: Sql, documentId: string): Promise<TakenBack[]> =>
  tx.query<TakenBack>(
    `select id, kind, source_id, user_id, amount_ft, debt_ft, written_off_ft, state from control.chargebacks
     where coalesce(payment_id, unmatched_id) = $1 order by created_at, id for update`,
    [documentId],
  )

const originOf = ({ ids, clock }: PaymentContext, requestId: string) => ({
  id: ids.next(),
  atMs: clock.now(),
  actor: 'system',
  requestId,
})

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const movedOf = (
  held: HeldMoney,
  source: TakeBackSource,
  moved: Pick<MoneyMoved, 'movementId' | 'amountFt' | 'debtFt'>,
) => ({
  ...held,
  ...moved,
  kind: source.kind === 'dispute' ? ('dispute' as const) : ('foreign-refund' as const),
  sourceId: source.id,
})

/** Takes money back from the credited customer: the free part of the wallet, and a debt for the rest. */
export async function takeBack(
  tx: Sql,
  context: PaymentContext,
  { held, source, amountFt }: { held: HeldMoney; source: TakeBackSource; amountFt: bigint },
): Promise<Movement> {
  const { documentId, paymentId, provider, userId, requestId } = held
  await lockInOrder(tx, { wallet: userId })
  const taken: TakenBackMoney = { documentId, sourceId: source.id, provider, userId, amount: forints(amountFt) }
  if (source.kind === 'dispute') {
    const lost = await context.ledgerOn(tx).post(chargedBack(originOf(context, requestId), taken))
    assert(lost.ok, 'A loss of the house is bounded by nothing.')
    await context.faults('chargeback.lost')
  }
  const fromWallet = await claim(tx, context, { taken, source, requestId })
  await context.faults('chargeback.claimed')
  const debtFt = amountFt - fromWallet.minor
  const movementId = context.ids.next()
  await tx.query(
    `insert into control.chargebacks (id, payment_id, unmatched_id, kind, source_id, user_id, amount_ft, from_wallet_ft, debt_ft,
       created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      movementId,
      paymentId === documentId ? documentId : null,
      paymentId === documentId ? null : documentId,
      source.kind,
      source.id,
      userId,
      amountFt.toString(),
      fromWallet.minor.toString(),
      debtFt.toString(),
      new Date(context.clock.now()),
    ],
  )
  await tellBalance(tx, context, { held, source, amount: fromWallet, direction: 'down' })
  if (source.kind === 'refund') await noteRefunded(tx, documentId, amountFt)
  await context.faults('chargeback.written')
  return moneyWentBack(tx, context, movedOf(held, source, { movementId, amountFt, debtFt }))
}

type Claimed = { taken: TakenBackMoney; source: TakeBackSource; requestId: string }

/** Takes the free part of the wallet; the caller holds the locks of the customer's accounts, so it stays free. */
async function claim(tx: Sql, context: PaymentContext, { taken, source, requestId }: Claimed): Promise<Money> {
  const ledger = context.ledgerOn(tx)
  const posting = source.kind === 'dispute' ? chargebackClaimed : refundedElsewhere
  const fromWallet = forints(smaller(await freeMoneyFt(ledger, taken.userId), taken.amount.minor))
  const posted = await ledger.post(posting(originOf(context, requestId), taken, fromWallet))
  assert(posted.ok, 'A claim takes what is free, once.')
  return fromWallet
}

/**
 * The provider has the money again: the taken amount is given back, and first pays debts. Written-off amounts stay with
 * the house.
 */
export async function giveBack(
  tx: Sql,
  context: PaymentContext,
  { held, row }: { held: HeldMoney; row: TakenBack },
): Promise<Movement> {
  const { documentId, provider, requestId } = held
  const { user_id: userId, amount_ft: amountFt, source_id: sourceId } = row
  await lockInOrder(tx, { wallet: userId })
  const ledger = context.ledgerOn(tx)
  const dueFt = amountFt - row.written_off_ft
  const debt = forints(smaller(dueFt, await readDebtFt(ledger, userId)))
  const wallet = forints(dueFt - debt.minor)
  const taken = { documentId, sourceId, provider, userId, amount: forints(amountFt) }
  const posting = row.kind === 'dispute' ? disputeWon : elsewhereReturned
  const posted = await ledger.post(posting(originOf(context, requestId), taken, { debt, wallet }))
  assert(posted.ok, 'What comes back only gives.')
  await context.faults('chargeback.given-back')
  await tx.query('update control.chargebacks set state = $2, updated_at = $3 where id = $1', [
    row.id,
    row.kind === 'dispute' ? 'won' : 'returned',
    new Date(context.clock.now()),
  ])
  const source = { kind: row.kind, id: sourceId }
  await tellBalance(tx, context, { held: { ...held, userId }, source, amount: wallet, direction: 'up' })
  if (row.kind === 'refund') await noteRefunded(tx, documentId, -amountFt)
  return moneyCameAgain(tx, context, { ...movedOf(held, source, { movementId: row.id, amountFt, debtFt: 0n }), userId })
}

const WORDS = {
  dispute: { down: 'A payment was taken back by the bank', up: 'Dispute of a payment won', back: 'dispute-won' },
  refund: {
    down: 'Refund made at the payment provider',
    up: 'A refund made at the payment provider came back',
    back: 'elsewhere-returned',
  },
} as const

type Told = { held: HeldMoney; source: TakeBackSource; amount: Money; direction: 'up' | 'down' }

/** The statement line, and the balance on open pages. A movement of debt only does not change the balance. */
async function tellBalance(tx: Sql, context: PaymentContext, { held, source, amount, direction }: Told): Promise<void> {
  const { documentId, userId, requestId, provider } = held
  const words = WORDS[source.kind]
  if (amount.minor === 0n) return
  const name = direction === 'up' ? words.back : source.kind === 'dispute' ? 'chargeback' : 'elsewhere'
  await writeStatementLine(tx, context, {
    userId,
    type: source.kind === 'dispute' ? 'correction' : 'refund',
    paymentType: provider,
    amountFt: direction === 'up' ? amount.minor : -amount.minor,
    status: 'finished',
    reason: words[direction],
    document: { kind: name, id: documentId, source: source.id },
  })
  const { available } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  const change = { userId, change: amount, balance: available, requestId }
  await announceBalance(tx, context, { ...change, type: `correction ${direction}` })
}
