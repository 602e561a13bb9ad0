import { add } from '#domain/billing/money.ts'
import { bucketsGivenBack } from '#domain/billing/paid-buckets.ts'
import { refundRejectedSize, judgeSize } from '#domain/billing/rejected-resize.ts'
import { correctDocuments, partsOfSpans, type GivenBackSales } from '../sale/sale-given-back.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { supersedeOpenUpdates } from '../../servers/store/command-store.ts'
import { lockServer, type ServerRecord } from '../../servers/store/server-store.ts'
import { readSpans, updateSpans } from '../paid-time/held-spans.ts'
import { resizeServer } from '../../servers/placement/resize-server.ts'
import { dropDearerPlan } from './planned-package.ts'
import { NOT_DELIVERED, refundRejected, reverseEach, tellRejected, type RevertRun } from './rejected-refund.ts'
import { findPendingSizes, lockNewestSize, type PendingSize } from './pending-sizes.ts'

/** Fault points in the order in which they are passed. */
export const REJECTED_SIZE_FAULTS = [
  'rejected-size.locked',
  'rejected-size.decided',
  'rejected-size.money-moved',
  'rejected-size.size-written',
  'rejected-size.told',
  'rejected-size.documented',
  'rejected-size.committed',
] as const

/**
 * Reverts every paid upgrade that its node rejects: size, price and money are as before it. Each is a separate
 * transaction; a failed one is logged and retried in the next run. Idempotent.
 */
export const revertRejected = (context: MoneyContext): Promise<RevertRun> =>
  reverseEach(context, {
    find: (page) => findPendingSizes(context.db, page),
    reverseOn: (serverId) => reverseOn(context, serverId),
    failure: 'a resize that its node rejected could not be reverted',
  })

async function reverseOn(context: MoneyContext, serverId: string): Promise<boolean> {
  const isReversed = await context.db.transaction(async (tx) => {
    const server = await lockServer(tx, serverId)
    if (!server || server.desired !== 'installed' || server.deletedAtMs !== null) return false
    const size = await lockNewestSize(tx, context, server)
    await context.faults('rejected-size.locked')
    const verdict = size && judgeSize(size.facts)
    if (!size || verdict?.act !== 'reverse') return false
    await reverse(tx, context, { server, size, because: verdict.because })
    return true
  })
  if (isReversed) await context.faults('rejected-size.committed')
  return isReversed
}

type Step = { readonly server: ServerRecord; readonly size: PendingSize; readonly because: 'refused' | 'silent' }

async function reverse(tx: Sql, context: MoneyContext, step: Step): Promise<void> {
  const { server, size, because } = step
  const { id: serverId } = server
  const { requestId } = size
  const held = await readSpans(tx, serverId)
  const before = held.map(({ span, cause }) => ({ ...span, isOfChange: cause.id === size.id }))
  const { spans } = refundRejectedSize(before, { downTo: size.monthlyBefore, changedAtMs: size.createdAtMs })
  const back = bucketsGivenBack(before, spans, 'HUF')
  await context.faults('rejected-size.decided')
  const parts = partsOfSpans(held, spans)
  const sales: GivenBackSales = { parts, cause: { type: 'rejected-resize', id: size.id } }
  const document = { kind: 'modification', id: size.id } as const
  const rejected = { server, document, userId: size.userId, requestId, because, back }
  await refundRejected(tx, context, { ...rejected, sales })
  await updateSpans(tx, held, spans)
  await context.faults('rejected-size.money-moved')
  // Late reports of the node about the larger size have no effect: it is sent the smaller one under a higher
  // generation.
  await supersedeOpenUpdates(tx, serverId, context.clock.now())
  const { limitsBefore: limits, monthlyBefore: monthly, packageBefore: packageId } = size
  const generation = await resizeServer(tx, context, { server, limits, packageId, monthly, requestId })
  await dropDearerPlan(tx, { serverId, monthly })
  await tx.query(
    'update control.modifications set reversed_at = $2, reversed_money_ft = $3, reversed_bonus_ft = $4 where id = $1',
    [size.id, new Date(context.clock.now()), back.money.minor.toString(), back.bonus.minor.toString()],
  )
  await context.faults('rejected-size.size-written')
  await tellRejected(tx, context, rejected)
  await context.faults('rejected-size.told')
  await correctDocuments(tx, context, { ...sales, reason: NOT_DELIVERED, requestId })
  await context.faults('rejected-size.documented')
  const said = { modificationId: size.id, backFt: add(back.money, back.bonus).minor.toString(), because, generation }
  context.log.warn({ requestId, serverId, ...said }, 'a resize that its node rejected was reverted')
}
