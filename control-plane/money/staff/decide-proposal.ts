import { mayDecide, proposalState, type ProposalRefusal } from '#domain/payments/manual-credit.ts'
import { forints } from '#domain/billing/money.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { PaymentRefundRefusal } from '#domain/payments/refund-to-source.ts'
import { lockCustomer, moveByHand, type HandRefusal } from './manual-credit.ts'
import { SELECT_PROPOSAL, type ProposalRow } from '../proposals/money-proposals.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import type { PaymentContext } from '../payments/payment-context.ts'
import { carryOutSoon, takeFromWallet } from '../payments/refund-payment.ts'

export type Decision = {
  readonly staffId: string
  readonly address: string
  readonly proposalId: string
  readonly decision: 'confirm' | 'refuse'
  readonly note: string
  readonly requestId: string
  readonly idempotencyKey: string
}

type Decided = { readonly state: 'confirmed' | 'refused'; readonly refundId: string | null }
type Carried = { readonly ok: true; readonly refundId: string | null }
type Refused = HandRefusal | { readonly ok: false; readonly code: ProposalRefusal | 'NOT_FOUND' | PaymentRefundRefusal }
export type DecisionRefusal = Refused | KeyRefusal

/**
 * The approver's decision. An approved proposal is carried out in the same transaction under current conditions: with
 * the current balance, and for an existing customer. If it cannot be carried out, the proposal stays open.
 */
export async function decideProposal(
  context: PaymentContext,
  command: Decision,
): Promise<{ readonly ok: true; readonly state: 'confirmed' | 'refused' } | DecisionRefusal> {
  const { staffId, idempotencyKey: key, proposalId, decision, note } = command
  const result = await context.db.transaction((tx) => {
    const body = { proposalId, decision, note }
    const keyed = { scope: 'decide-proposal', userId: staffId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<Decided, Refused>(tx, keyed, () => decide(tx, context, command))
  })
  if (!result.ok) return result
  const { state, refundId } = result.answer
  if (refundId !== null) await carryOutSoon(context, refundId)
  return { ok: true, state }
}

async function decide(
  tx: Sql,
  context: PaymentContext,
  command: Decision,
): Promise<{ ok: true; answer: Decided } | Refused> {
  const { staffId, proposalId, decision, note, address } = command
  const [row] = await tx.query<ProposalRow>(`${SELECT_PROPOSAL} where id = $1 for update`, [proposalId])
  if (!row) return { ok: false, code: 'NOT_FOUND' }
  const now = context.clock.now()
  const state = proposalState({ state: row.state, expiresAtMs: row.expires_at.getTime() }, now)
  const refusal = mayDecide({ state, proposedBy: row.proposed_by }, { staffId, decision })
  if (refusal) return { ok: false, code: refusal }
  const carried: Carried | Refused =
    decision === 'confirm' ? await carryOut(tx, context, { row, command }) : { ok: true, refundId: null }
  if (!carried.ok) return carried
  const decided = decision === 'confirm' ? 'confirmed' : 'refused'
  await tx.query(
    'update control.money_proposals set state = $2, decided_by = $3, note = $4, decided_at = $5 where id = $1',
    [proposalId, decided, staffId, note, new Date(now)],
  )
  const { user_id: userId, amount_ft: amountFt, reason, proposed_by: proposedBy, act, direction } = row
  await recordActivity(tx, context, {
    userId: staffId,
    address,
    type: `staff.proposal-${decided}`,
    status: 'success',
    detail: { proposalId, act, direction, userId, amountFt: Number(amountFt), reason, note, proposedBy },
  })
  return { ok: true, answer: { state: decided, refundId: carried.refundId } }
}

async function carryOut(
  tx: Sql,
  context: PaymentContext,
  { row, command }: { row: ProposalRow; command: Decision },
): Promise<Carried | Refused> {
  const { user_id: userId, reason, proposed_by: staffId, amount_ft: amountFt, payment_id: paymentId } = row
  const { requestId, idempotencyKey, address } = command
  if (!(await lockCustomer(tx, userId))) return { ok: false, code: 'NO_SUCH_USER' }
  if (paymentId !== null) {
    const wish = { staffId, paymentId, amountFt: Number(amountFt), reason, requestId, idempotencyKey }
    const taken = await takeFromWallet(tx, context, { ...wish, proposalId: row.id })
    return taken.ok ? { ok: true, refundId: taken.answer.refundId } : taken
  }
  const { direction, bucket, with_debt: withDebt } = row
  const moved = await moveByHand(tx, context, {
    id: row.id,
    userId,
    direction,
    bucket,
    withDebt,
    reason,
    staffId,
    address,
    requestId,
    amount: forints(amountFt),
    proposal: { id: row.id, confirmedBy: command.staffId },
  })
  return moved.ok ? { ok: true, refundId: null } : moved
}
