import { creditedShareFt, isAway } from '#domain/billing/reversal.ts'
import type { Sql } from '../platform/postgres.ts'
import type { PaymentContext } from './payment-context.ts'
import { refundedFtOf, type Reversal } from './provider-reversals.ts'
import { returnRefund } from './refund-end.ts'
import { sentBackFt } from './refund-rows.ts'
import { giveBack, readTakenBack, takeBack, type HeldMoney, type TakenBack } from './take-back.ts'

type Followed = { readonly held: HeldMoney; readonly reversals: readonly Reversal[] }

/**
 * Carries out what a provider lists of refunds and disputes of money that a customer was credited with: each is taken once, and given
 * back once when it ends well. Whoever calls holds the row of the payment, or of the parked money; repeated it does nothing.
 */
export async function followReversals(tx: Sql, context: PaymentContext, { held, reversals }: Followed): Promise<void> {
  const lost = await lostRefunds(tx, reversals)
  const isOurs = ({ refund_id: id }: Reversal): boolean => id !== null && !lost.has(id)
  const ours = reversals.filter(isOurs)
  for (const { refund_id: refundId, state } of ours) {
    if (refundId !== null && state === 'failed') await returnRefund(tx, context, refundId)
  }
  for (const reversal of reversals.filter(({ state }) => !isAway(state))) await end(tx, context, { held, reversal })
  const away = reversals.filter((reversal) => !isOurs(reversal) && isAway(reversal.state))
  const disputes = away.filter(({ kind }) => kind === 'dispute')
  const sentFt = await sentFor(tx, held, ours)
  for (const reversal of disputes) await begin(tx, context, { held, reversal, sentFt })
  for (const reversal of notOfDisputes(away, disputes)) await begin(tx, context, { held, reversal, sentFt })
}

/**
 * Refunds of ours that the provider refused when it was asked, and lists as sent all the same: the wallet has their money again, so it
 * is taken as that of a refund that was made at the provider.
 */
async function lostRefunds(tx: Sql, reversals: readonly Reversal[]): Promise<ReadonlySet<string>> {
  const sent = reversals.filter(({ state }) => state === 'succeeded').map(({ refund_id: id }) => id)
  if (sent.every((id) => id === null)) return new Set()
  const rows = await tx.query<{ id: string }>(
    `select id from control.refunds where id = any ($1::uuid[]) and state = 'failed'`,
    [sent.filter((id) => id !== null)],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * A dispute that ends for the customer is carried out as a refund of the same amount, which is listed beside it: that is one movement
 * of money, told twice.
 */
function notOfDisputes(away: readonly Reversal[], disputes: readonly Reversal[]): Reversal[] {
  const left = disputes.map(({ amount_minor: minor }) => minor)
  return away.filter(({ kind, amount_minor: minor }) => {
    if (kind === 'dispute') return false
    const at = left.indexOf(minor)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

type One = { readonly held: HeldMoney; readonly reversal: Reversal }

const isOf =
  ({ kind, reversal_id: id }: Reversal) =>
  (row: TakenBack): boolean =>
    row.kind === kind && row.source_id === id

async function end(tx: Sql, context: PaymentContext, { held, reversal }: One): Promise<void> {
  const row = (await readTakenBack(tx, held.documentId)).find(isOf(reversal))
  if (row?.state === 'taken') await giveBack(tx, context, { held, row })
}

/** What refunds of ours have sent, by our books or by the provider's, whichever is further. */
async function sentFor(tx: Sql, held: HeldMoney, ours: readonly Reversal[]): Promise<bigint> {
  if (held.paymentId !== held.documentId) return 0n
  const sentFt = await sentBackFt(tx, held.documentId)
  const listedFt = refundedFtOf(held.creditedFt, ours)
  return sentFt > listedFt ? sentFt : listedFt
}

type Begun = One & { readonly sentFt: bigint }

async function begin(tx: Sql, context: PaymentContext, { held, reversal, sentFt }: Begun): Promise<void> {
  const rows = await readTakenBack(tx, held.documentId)
  if (rows.some(isOf(reversal))) return
  if (reversal.kind === 'refund' && (await isSettledByStaff(tx, held))) return
  const { amount_minor: minor, whole_minor: whole } = reversal
  const takenFt = rows.filter(({ state }) => state === 'taken').reduce((sum, row) => sum + row.amount_ft, 0n)
  // A refund on its way may still fail, and then its money comes back to the customer, where it pays the debt.
  const leftFt = held.creditedFt - takenFt - sentFt
  const shareFt = creditedShareFt(held.creditedFt, { minor, whole })
  const amountFt = shareFt < leftFt ? shareFt : leftFt
  if (amountFt <= 0n) return
  await takeBack(tx, context, { held, source: { kind: reversal.kind, id: reversal.reversal_id }, amountFt })
}

/** Refunds of the release before were parked; what staff put away then was settled with the balance by hand. */
async function isSettledByStaff(tx: Sql, { provider, providerPaymentId }: HeldMoney): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from control.unmatched_payments where provider = $1 and provider_payment_id = $2 and kind = 'refund'
       and state = 'dismissed' and resolved_by is not null`,
    [provider, providerPaymentId],
  )
  return rows.length > 0
}
