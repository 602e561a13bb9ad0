import { add, negate, subtract, type Money } from '#domain/billing/money.ts'
import { bonusOf, clearingOf, debtOf, houseAccount, walletOf, type AccountRef } from './chart-of-accounts.ts'
import type { Origin } from './postings.ts'
import type { Entry, Explanation, Transfer } from './transfer.ts'

type Movement = { kind: string; key: string; reason: string; ref: Explanation['ref']; currency: Money['currency'] }

/** Zero entries are dropped: an unmoved account is not part of the transfer. */
const transferOf = (origin: Origin, movement: Movement, entries: readonly Entry[]): Transfer => ({
  ...origin,
  ...movement,
  entries: entries.filter(({ amount }) => amount.minor !== 0n),
})

const move = (amount: Money, from: AccountRef, to: AccountRef): Entry[] => [
  { account: from, amount: negate(amount) },
  { account: to, amount },
]

export type RefundMoney = {
  readonly refundId: string
  readonly provider: string
  readonly userId: string
  readonly amount: Money
}

const refundMovement = (refund: RefundMoney, step: string, reason: string): Movement => ({
  kind: 'refund',
  key: `refund:${refund.refundId}${step}`,
  reason,
  ref: { type: 'refund', id: refund.refundId },
  currency: refund.amount.currency,
})

/** The refund leaves the wallet; until the provider has sent it, it is on `refunds_out`. */
export const refundOut = (origin: Origin, refund: RefundMoney): Transfer =>
  transferOf(
    origin,
    refundMovement(refund, '', `Refund to ${refund.provider}`),
    move(refund.amount, walletOf(refund.userId), houseAccount('refunds_out')),
  )

/** The provider has sent it, and owes us that much less. */
export const refundSent = (origin: Origin, refund: RefundMoney): Transfer =>
  transferOf(
    origin,
    refundMovement(refund, ':sent', `Refund sent by ${refund.provider}`),
    move(refund.amount, houseAccount('refunds_out'), clearingOf(refund.provider)),
  )

/** The provider could not send it: it returns to the wallet. */
export const refundReleased = (origin: Origin, refund: RefundMoney): Transfer =>
  transferOf(
    origin,
    refundMovement(refund, ':released', `Refund refused by ${refund.provider}`),
    move(refund.amount, houseAccount('refunds_out'), walletOf(refund.userId)),
  )

/** The customer's bank returned the refund: the provider owes it to us again, and we owe it to the customer. */
export const refundReturned = (origin: Origin, refund: RefundMoney): Transfer =>
  transferOf(
    origin,
    refundMovement(refund, ':returned', `Refund that the bank sent back through ${refund.provider}`),
    move(refund.amount, clearingOf(refund.provider), walletOf(refund.userId)),
  )

/** `documentId` is the reversed payment or unmatched payment; `sourceId` the provider's id of the reversal. */
export type TakenBackMoney = {
  readonly documentId: string
  readonly sourceId: string
  readonly provider: string
  readonly userId: string
  readonly amount: Money
}

const foreignMovement = (taken: TakenBackMoney, step: string, reason: string): Movement => ({
  kind: 'refund',
  key: `foreign-refund:${taken.provider}:${taken.documentId}:${taken.sourceId}${step}`,
  reason,
  ref: { type: 'payment', id: taken.documentId },
  currency: taken.amount.currency,
})

/** A refund made on the provider's own pages: it is taken from the wallet, and the rest becomes a debt. */
export function refundedElsewhere(origin: Origin, taken: TakenBackMoney, fromWallet: Money): Transfer {
  const { userId, provider, amount } = taken
  return transferOf(origin, foreignMovement(taken, '', `Refund made at ${provider}, not by Bakter`), [
    { account: walletOf(userId), amount: negate(fromWallet) },
    { account: debtOf(userId), amount: negate(subtract(amount, fromWallet)) },
    { account: clearingOf(provider), amount },
  ])
}

const backEntries = (taken: TakenBackMoney, back: Back): Entry[] => [
  { account: clearingOf(taken.provider), amount: negate(taken.amount) },
  { account: debtOf(taken.userId), amount: back.debt },
  { account: walletOf(taken.userId), amount: back.wallet },
  // Money that the house had written off is no longer a loss.
  { account: houseAccount('chargeback_loss'), amount: subtract(taken.amount, add(back.debt, back.wallet)) },
]

/** How much of the returning money pays a debt, and how much reaches the wallet. */
export type Back = { readonly debt: Money; readonly wallet: Money }

/** The refund elsewhere failed at the bank: the provider has the money again. */
export const elsewhereReturned = (origin: Origin, taken: TakenBackMoney, back: Back): Transfer =>
  transferOf(
    origin,
    foreignMovement(taken, ':returned', `Refund made at ${taken.provider} that the bank sent back`),
    backEntries(taken, back),
  )

const chargebackMovement = (taken: TakenBackMoney, step: string, reason: string): Movement => ({
  kind: 'chargeback',
  key: `chargeback:${taken.documentId}${taken.sourceId === '' ? '' : `:${taken.sourceId}`}${step}`,
  reason,
  ref: { type: 'payment', id: taken.documentId },
  currency: taken.amount.currency,
})

/** The bank took money back: a loss of the house until the customer makes it good. */
export const chargedBack = (origin: Origin, taken: TakenBackMoney): Transfer =>
  transferOf(
    origin,
    chargebackMovement(taken, '', `Payment taken back through ${taken.provider}`),
    move(taken.amount, houseAccount('chargeback_loss'), clearingOf(taken.provider)),
  )

/** The customer is liable for it: with the wallet, and with a debt for the rest. */
export function chargebackClaimed(origin: Origin, taken: TakenBackMoney, fromWallet: Money): Transfer {
  const { userId, amount } = taken
  return transferOf(origin, chargebackMovement(taken, ':claim', 'Claim for a payment that was taken back'), [
    { account: walletOf(userId), amount: negate(fromWallet) },
    { account: debtOf(userId), amount: negate(subtract(amount, fromWallet)) },
    { account: houseAccount('chargeback_loss'), amount },
  ])
}

/** The bank returned it: the customer gets their share back, which first pays debts. */
export const disputeWon = (origin: Origin, taken: TakenBackMoney, back: Back): Transfer =>
  transferOf(origin, chargebackMovement(taken, ':won', 'Dispute of a payment won'), backEntries(taken, back))

/** A debt is paid from the wallet, under the document that brought the money. */
export const debtPaid = (origin: Origin, paid: { documentId: string; userId: string; amount: Money }): Transfer =>
  transferOf(
    origin,
    {
      kind: 'debt',
      key: `debt:${paid.documentId}`,
      reason: 'Debt of a payment that was taken back',
      ref: { type: 'payment', id: paid.documentId },
      currency: paid.amount.currency,
    },
    move(paid.amount, walletOf(paid.userId), debtOf(paid.userId)),
  )

/** The house writes off a debt. */
export const debtWrittenOff = (
  origin: Origin,
  written: { id: string; userId: string; amount: Money; reason: string },
): Transfer =>
  transferOf(
    origin,
    {
      kind: 'write-off',
      key: `write-off:${written.id}`,
      reason: written.reason,
      ref: { type: 'correction', id: written.id },
      currency: written.amount.currency,
    },
    move(written.amount, houseAccount('chargeback_loss'), debtOf(written.userId)),
  )

export type HandMoney = {
  readonly id: string
  readonly userId: string
  readonly bucket: 'money' | 'bonus'
  readonly direction: 'credit' | 'debit'
  /** The amount that the balance gains or loses. */
  readonly balance: Money
  /** The part of a debit that the balance could not cover: it becomes a debt. */
  readonly debt: Money
  readonly reason: string
}

/** A manual movement: money against `manual_adjustment`, a bonus against its cost. Once per id. */
export function movedByHand(origin: Origin, hand: HandMoney): Transfer {
  const { id, userId, bucket, direction, balance, debt } = hand
  const signed = (amount: Money): Money => (direction === 'credit' ? amount : negate(amount))
  const other = houseAccount(bucket === 'money' ? 'manual_adjustment' : 'promotion')
  return transferOf(
    origin,
    {
      kind: 'correction',
      key: `correction:${id}`,
      reason: hand.reason,
      ref: { type: 'correction', id },
      currency: balance.currency,
    },
    [
      { account: bucket === 'money' ? walletOf(userId) : bonusOf(userId), amount: signed(balance) },
      { account: debtOf(userId), amount: signed(debt) },
      { account: other, amount: negate(signed(add(balance, debt))) },
    ],
  )
}
