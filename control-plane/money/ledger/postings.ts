import { negate, type Money } from '#domain/billing/money.ts'
import { splitVat } from '#domain/billing/vat.ts'
import { bonusOf, clearingOf, houseAccount, walletOf } from './chart-of-accounts.ts'
import type { CaptureRequest, Entry, HoldRequest, Transfer } from './transfer.ts'

/** Where a posting comes from; the same for every kind. Ids and the time are arguments of the caller. */
export type Origin = { readonly id: string; readonly atMs: number; readonly actor: string; readonly requestId: string }

/** A provider confirmed a payment: it owes us the money, we owe it to the customer. One for each payment of a provider. */
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

/** Gives a customer a bonus at the house's cost. */
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

/** Money won on the prize wheel: a bonus at the house's cost, once for each spin. */
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

/** A correction of the money wallet by staff; the amount's sign is its direction. */
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

/** A customer gives up what they have, with the account: once. */
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

export type OrderMoney = {
  readonly orderId: string
  readonly userId: string
  readonly total: Money
  readonly product: string
}

/** Sets the price of an order aside while the server is being installed. */
export function orderHeld(origin: Origin, order: OrderMoney & { expiresAtMs: number }): HoldRequest {
  return {
    ...origin,
    key: `order:${order.orderId}:hold`,
    userId: order.userId,
    amount: order.total,
    expiresAtMs: order.expiresAtMs,
    reason: `Order of ${order.product}`,
    ref: { type: 'order', id: order.orderId },
  }
}

/** The server is there: the held price becomes revenue and tax. The tax is split once, by the rate of the sale, and the parts add up to the price. */
export function orderCaptured(
  origin: Origin,
  order: OrderMoney & { holdId: string; rateBasisPoints: bigint },
): CaptureRequest {
  const { net, vat } = splitVat(order.total, order.rateBasisPoints)
  const credits: Entry[] = [
    { account: houseAccount('revenue'), amount: net },
    { account: houseAccount('vat_payable'), amount: vat },
  ]
  return {
    ...origin,
    holdId: order.holdId,
    kind: 'order',
    key: `order:${order.orderId}:capture`,
    amount: order.total,
    reason: `Order of ${order.product}`,
    ref: { type: 'order', id: order.orderId },
    credits: credits.filter((credit) => credit.amount.minor !== 0n),
  }
}
