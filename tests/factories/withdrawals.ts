import type { WithdrawalSubject } from '#contracts/http/withdrawal.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import { beginWithdrawal } from '../../control-plane/money/withdrawal/begin-withdrawal.ts'
import { confirmWithdrawal } from '../../control-plane/money/withdrawal/confirm-withdrawal.ts'
import type { ConfirmWithdrawal, WithdrawalContext } from '../../control-plane/money/withdrawal/withdrawal-context.ts'
import { callerOf, orderContext } from './shop.ts'

/** The external dependencies of a withdrawal in a test. */
export const withdrawalContext = (
  db: Database,
  { nowMs, faults = async () => {} }: { nowMs: number; faults?: FaultPoint },
): WithdrawalContext => ({ ...orderContext(db, { now: () => nowMs, faults }), mailSecret: 'the secret of mails' })

/** The second step, with a separate key. */
export const confirmCommand = (
  userId: string,
  subject: WithdrawalSubject,
  { key = systemIds.next(), expectedBackFt }: { key?: string; expectedBackFt?: number } = {},
): ConfirmWithdrawal => ({
  caller: callerOf(userId),
  subject,
  expectedBackFt,
  idempotencyKey: key,
  requestId: 'withdrawal-1',
})

/** Both steps at the same time. */
export async function withdraw(
  db: Database,
  { userId, subject, nowMs }: { userId: string; subject: WithdrawalSubject; nowMs: number },
): ReturnType<typeof confirmWithdrawal> {
  const context = withdrawalContext(db, { nowMs })
  const begun = await beginWithdrawal(context, { caller: callerOf(userId), subject, requestId: 'w' })
  return begun.ok ? confirmWithdrawal(context, confirmCommand(userId, subject)) : begun
}
