import { forints } from '#domain/billing/money.ts'
import type { CaptureRequest, HoldRequest, Transfer } from '../../control-plane/money/ledger/transfer.ts'
import { bonusGranted, corrected, topUpSettled } from '../../control-plane/money/ledger/postings.ts'
import { chargebackClaimed, debtWrittenOff } from '../../control-plane/money/ledger/payment-postings.ts'
import { systemIds } from '#platform/ids.ts'
import { orderCaptured, orderHeld } from './held-orders.ts'

export const AT = Date.UTC(2026, 5, 1)

const origin = () => ({ id: systemIds.next(), atMs: AT, actor: 'system', requestId: 'test' })

/** Ledger requests with new ids, as its callers create them. `key` is the business id that names the movement. */
export const moves = {
  payIn: (userId: string, amountFt: bigint, key: string = systemIds.next()): Transfer =>
    topUpSettled(origin(), { id: key, provider: 'sandbox', providerPaymentId: key, userId, amount: forints(amountFt) }),
  grant: (userId: string, amountFt: bigint, key: string = systemIds.next()): Transfer =>
    bonusGranted(origin(), { id: key, userId, amount: forints(amountFt), reason: 'Welcome' }),
  spend: (userId: string, amountFt: bigint, key: string = systemIds.next()): Transfer =>
    corrected(origin(), { id: key, userId, amount: forints(-amountFt), reason: 'Spent' }),
  /** A bank charged a payment back, and the wallet had none of it. */
  owe: (userId: string, amountFt: bigint): Transfer =>
    chargebackClaimed(
      origin(),
      { documentId: systemIds.next(), sourceId: '', provider: 'sandbox', userId, amount: forints(amountFt) },
      forints(0n),
    ),
  forgive: (userId: string, amountFt: bigint): Transfer =>
    debtWrittenOff(origin(), { id: systemIds.next(), userId, amount: forints(amountFt), reason: 'Given up' }),
  hold: (userId: string, amountFt: bigint, key: string = systemIds.next()): HoldRequest =>
    orderHeld(origin(), { orderId: key, userId, total: forints(amountFt), product: 'Test', expiresAtMs: AT + 60_000 }),
  capture: (held: { userId: string; holdId: string; key: string }, amountFt: bigint): CaptureRequest =>
    orderCaptured(origin(), {
      orderId: held.key,
      userId: held.userId,
      total: forints(amountFt),
      product: 'Test',
      rateBasisPoints: 2700n,
      holdId: held.holdId,
    }),
}
