import { negate, type Money } from '#domain/billing/money.ts'
import { bonusOf, clearingOf, houseAccount, walletOf } from './chart-of-accounts.ts'
import type { Entry, Transfer } from './transfer.ts'

/** The origin of a posting; the same for every kind. Ids and the time are passed in. */
export type Origin = { readonly id: string; readonly atMs: number; readonly actor: string; readonly requestId: string }

/** A provider confirmed a payment: it owes us the money, and we owe it to the customer. One per provider payment. */
export function topUpSettled(
  origin: Origin,
  payment: { id: string; provider: string; providerPaymentId: string; userId: string; amount: Money },
): Transfer {
  const { amount, provider, userId } = payment
  return {
    ...origin,
    kind: 'top-up',
    key: `topup:${provider}:${payment.providerPaymentId}`,
    currency: amount.currency,
    reason: `Top-up by ${provider}`,
    ref: { type: 'payment', id: payment.id },
    entries: [
      { account: clearingOf(provider), amount: negate(amount) },
      { account: walletOf(userId), amount },
    ],
  }
}

/** Grants a customer a bonus at the house's cost. */
export function bonusGranted(
  origin: Origin,
  grant: { id: string; userId: string; amount: Money; reason: string },
): Transfer {
  return {
    ...origin,
    kind: 'bonus',
    key: `bonus:${grant.id}`,
    currency: grant.amount.currency,
    reason: grant.reason,
    ref: { type: 'grant', id: grant.id },
    entries: [
      { account: houseAccount('promotion'), amount: negate(grant.amount) },
      { account: bonusOf(grant.userId), amount: grant.amount },
    ],
  }
}

/** Money won on the prize wheel: a bonus at the house's cost, once per spin. */
export function prizeWon(origin: Origin, prize: { spinId: string; userId: string; amount: Money }): Transfer {
  const { spinId, userId, amount } = prize
  return {
    ...origin,
    kind: 'prize',
    key: `prize:${spinId}`,
    currency: amount.currency,
    reason: 'Prize of the wheel',
    ref: { type: 'spin', id: spinId },
    entries: [
      { account: houseAccount('promotion'), amount: negate(amount) },
      { account: bonusOf(userId), amount },
    ],
  }
}

/** A correction of the money wallet by staff; the sign of the amount is its direction. */
export function corrected(
  origin: Origin,
  correction: { id: string; userId: string; amount: Money; reason: string },
): Transfer {
  return {
    ...origin,
    kind: 'correction',
    key: `correction:${correction.id}`,
    currency: correction.amount.currency,
    reason: correction.reason,
    ref: { type: 'correction', id: correction.id },
    entries: [
      { account: houseAccount('manual_adjustment'), amount: negate(correction.amount) },
      { account: walletOf(correction.userId), amount: correction.amount },
    ],
  }
}

export const forfeitKey = (userId: string): string => `forfeit:${userId}`

/** A customer forfeits their balance with the deletion of the account: once. */
export function forfeited(origin: Origin, given: { userId: string; money: Money; bonus: Money }): Transfer {
  const { userId, money, bonus } = given
  const entries: Entry[] = [
    { account: walletOf(userId), amount: negate(money) },
    { account: houseAccount('manual_adjustment'), amount: money },
    { account: bonusOf(userId), amount: negate(bonus) },
    { account: houseAccount('promotion'), amount: bonus },
  ]
  return {
    ...origin,
    kind: 'forfeit',
    key: forfeitKey(userId),
    currency: money.currency,
    reason: 'Balance given up with the account',
    ref: { type: 'correction', id: userId },
    entries: entries.filter(({ amount }) => amount.minor !== 0n),
  }
}
