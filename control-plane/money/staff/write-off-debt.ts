import { assert } from '#domain/kernel/assert.ts'
import { forints } from '#domain/billing/money.ts'
import { spreadWriteOff, type CausedDebt, type WrittenOff } from '#domain/billing/write-off.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { debtWrittenOff } from '../ledger/payment-postings.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readDebtFt } from '../wallet/debt.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import type { PaymentContext } from '../payments/payment-context.ts'
import { recordUnlessErased } from '../payments/unless-erased.ts'

export type WriteOff = {
  readonly staffId: string
  readonly userId: string
  readonly reason: string
  readonly requestId: string
  readonly idempotencyKey: string
}

/** Fault points in the order in which they are passed. */
export const WRITE_OFF_FAULTS = [
  'write-off.begin',
  'write-off.posted',
  'write-off.written',
  'write-off.committed',
] as const

type Written = { readonly amountFt: number }
type Refused = { readonly ok: false; readonly code: 'NO_DEBT' } | KeyRefusal

/** Writes off all debts of a customer, by a decision of staff. Returns the amount. */
export async function writeOffDebt(
  context: PaymentContext,
  command: WriteOff,
): Promise<({ ok: true } & Written) | Refused> {
  const { staffId, userId, reason, idempotencyKey: key } = command
  const result = await context.db.transaction((tx) => {
    const keyed = {
      scope: 'write-off',
      userId: staffId,
      key,
      body: { userId, reason },
      atMs: context.clock.now(),
    } as const
    return oncePerKey<Written, Refused>(tx, keyed, () => writeOff(tx, context, command))
  })
  await context.faults('write-off.committed')
  return result.ok ? { ok: true, ...result.answer } : result
}

async function writeOff(
  tx: Sql,
  context: PaymentContext,
  { staffId, userId, reason, requestId }: WriteOff,
): Promise<{ ok: true; answer: Written } | { ok: false; code: 'NO_DEBT' }> {
  await context.faults('write-off.begin')
  await tx.query(
    `select 1 from control.chargebacks where user_id = $1 and state = 'taken' order by created_at, id for update`,
    [userId],
  )
  await lockInOrder(tx, { wallet: userId })
  const ledger = context.ledgerOn(tx)
  const debtFt = await readDebtFt(ledger, userId)
  if (debtFt === 0n) return { ok: false, code: 'NO_DEBT' }
  const id = context.ids.next()
  const now = context.clock.now()
  const origin = { id: context.ids.next(), atMs: now, actor: `staff:${staffId}`, requestId }
  const posted = await ledger.post(debtWrittenOff(origin, { id, userId, amount: forints(debtFt), reason }))
  assert(posted.ok, 'A debt is given up once, under an id of its own.')
  await context.faults('write-off.posted')
  await writeParts(tx, spreadWriteOff(debtFt, await readDebts(tx, userId)), now)
  await context.faults('write-off.written')
  const detail = { amountFt: Number(debtFt), reason }
  await recordUnlessErased(tx, context, { userId, type: 'debt.written-off', status: 'success', detail })
  await recordActivity(tx, context, {
    userId: staffId,
    type: 'staff.debt-written-off',
    status: 'success',
    detail: { ...detail, userId },
  })
  return { ok: true, answer: { amountFt: Number(debtFt) } }
}

/** All outstanding debts of a customer, oldest first. */
async function readDebts(tx: Sql, userId: string): Promise<CausedDebt[]> {
  const rows = await tx.query<{ id: string; open_ft: bigint }>(
    `select id, open_ft from (
       select id, debt_ft - written_off_ft as open_ft, created_at from control.chargebacks
         where user_id = $1 and state = 'taken'
       union all select id, debt_ft, created_at from control.manual_credits where user_id = $1 and debt_ft > 0) debts
     order by created_at, id`,
    [userId],
  )
  return rows.map(({ id, open_ft: openFt }) => ({ id, openFt }))
}

/** Only charge-backs can be returned, so only for those the written-off part is stored. */
const writeParts = (tx: Sql, parts: readonly WrittenOff[], now: number) =>
  tx.query(
    `update control.chargebacks c set written_off_ft = c.written_off_ft + p.part_ft, updated_at = $3
     from unnest($1::uuid[], $2::bigint[]) as p (id, part_ft) where c.id = p.id`,
    [parts.map(({ id }) => id), parts.map(({ partFt }) => partFt.toString()), new Date(now)],
  )
