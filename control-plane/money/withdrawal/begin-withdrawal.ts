import type { WithdrawalOffer } from '#contracts/http/withdrawal.ts'
import { CONFIRM_WITHIN_MS } from '#domain/billing/withdrawal.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { decideOn } from './decide-withdrawal.ts'
import { offered } from './list-withdrawals.ts'
import { readContracts } from './read-contract.ts'
import type { WithdrawalWish, WithdrawRefusal } from './withdrawal-context.ts'

/**
 * The first of two steps: records its time, which decides whether the withdrawal is in time, and returns the effect of
 * the second step. If it is repeated within the day for confirming it, the first time counts.
 */
export function beginWithdrawal(
  context: MoneyContext,
  { caller, subject, requestId }: WithdrawalWish & { requestId: string },
): Promise<{ ok: true; offer: WithdrawalOffer } | WithdrawRefusal> {
  return context.db.transaction(async (tx): Promise<{ ok: true; offer: WithdrawalOffer } | WithdrawRefusal> => {
    const { userId, address, way } = caller
    const [contract] = await readContracts(tx, { userId, ...subject })
    if (!contract) return { ok: false, code: 'NOT_FOUND' }
    const nowMs = context.clock.now()
    const decided = await decideOn(tx, { contract, userId, nowMs })
    if (!decided.ok) return decided
    const { kind, documentId, serverId } = contract
    const rows = await tx.query<{ begun_at: Date }>(
      `insert into control.withdrawals as w (id, user_id, kind, document_id, server_id, begun_at, request_id)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (kind, document_id) do update
       set begun_at = case when w.begun_at < $8 and w.confirmed_at is null then excluded.begun_at else w.begun_at end
       returning begun_at`,
      [
        context.ids.next(),
        userId,
        kind,
        documentId,
        serverId,
        new Date(nowMs),
        requestId,
        new Date(nowMs - CONFIRM_WITHIN_MS),
      ],
    )
    const begunAtMs = rows[0]?.begun_at.getTime() ?? nowMs
    if (contract.begunAtMs === undefined) {
      const activity = {
        userId,
        address,
        way,
        type: 'withdrawal.begun',
        status: 'success',
        detail: { kind, documentId },
      } as const
      await recordActivity(tx, context, { ...activity, ...(serverId === null ? {} : { serverId }) })
    }
    return { ok: true, offer: offered({ caller, contract: { ...contract, begunAtMs }, nowMs }, decided) }
  })
}
