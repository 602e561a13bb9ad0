import { add } from '#domain/billing/money.ts'
import { bucketsGivenBack } from '#domain/billing/paid-buckets.ts'
import { giveBackAll, judgeSize } from '#domain/billing/rejected-resize.ts'
import { correctDocuments, partsOfSpans, type GivenBackSales } from '../sale/sale-given-back.ts'
import { readSpans, updateSpans } from '../paid-time/held-spans.ts'
import { writePlan } from '../modification/planned-package.ts'
import { resizeServer } from '../../servers/placement/resize-server.ts'
import {
  NOT_DELIVERED,
  refundRejected,
  reverseEach,
  tellRejected,
  type RevertRun,
} from '../modification/rejected-refund.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { supersedeOpenUpdates } from '../../servers/store/command-store.ts'
import { lockServer, type ServerRecord } from '../../servers/store/server-store.ts'
import { findPendingConversions, lockConversion, type PendingConversion } from './converted-from.ts'

/** Fault points in the order in which they are passed. */
export const REJECTED_CONVERSION_FAULTS = [
  'rejected-conversion.decided',
  'rejected-conversion.money-moved',
  'rejected-conversion.server-written',
  'rejected-conversion.told',
  'rejected-conversion.documented',
  'rejected-conversion.committed',
] as const

/**
 * Reverts every conversion whose larger size its node rejects: the previous test server is restored and the order's
 * money refunded. Each is a separate transaction; a failed one is logged and retried in the next run. Idempotent.
 */
export const reverseConversions = (context: MoneyContext): Promise<RevertRun> =>
  reverseEach(context, {
    find: (page) => findPendingConversions(context.db, page),
    reverseOn: (serverId) => reverseOn(context, serverId),
    failure: 'a conversion that its node rejected could not be reverted',
  })

async function reverseOn(context: MoneyContext, serverId: string): Promise<boolean> {
  const isReversed = await context.db.transaction(async (tx) => {
    const server = await lockServer(tx, serverId)
    if (!server || server.desired !== 'installed' || server.deletedAtMs !== null) return false
    const conversion = await lockConversion(tx, context, serverId)
    const verdict = conversion && judgeSize(conversion.facts)
    if (!conversion || verdict?.act !== 'reverse') return false
    if (conversion.isRenewed) {
      const { orderId } = conversion
      context.log.error(
        { serverId, orderId },
        'a conversion that its node rejects was renewed since, so it is not reverted',
      )
      return false
    }
    await reverse(tx, context, { server, conversion, because: verdict.because })
    return true
  })
  if (isReversed) await context.faults('rejected-conversion.committed')
  return isReversed
}

type Step = {
  readonly server: ServerRecord
  readonly conversion: PendingConversion
  readonly because: 'refused' | 'silent'
}

async function reverse(tx: Sql, context: MoneyContext, step: Step): Promise<void> {
  const { server, conversion, because } = step
  const { orderId, requestId } = conversion
  const held = (await readSpans(tx, server.id)).filter(({ cause }) => cause.kind === 'order' && cause.id === orderId)
  const before = held.map(({ span }) => span)
  const spans = giveBackAll(before)
  const back = bucketsGivenBack(before, spans, 'HUF')
  await context.faults('rejected-conversion.decided')
  const sales: GivenBackSales = { parts: partsOfSpans(held, spans), cause: { type: 'rejected-resize', id: orderId } }
  const document = { kind: 'order', id: orderId } as const
  const rejected = { server, document, userId: conversion.userId, requestId, because, back }
  await refundRejected(tx, context, { ...rejected, sales })
  await updateSpans(tx, held, spans)
  await context.faults('rejected-conversion.money-moved')
  await writeTestServer(tx, context, step)
  await context.faults('rejected-conversion.server-written')
  await tellRejected(tx, context, rejected)
  await context.faults('rejected-conversion.told')
  await correctDocuments(tx, context, { ...sales, reason: NOT_DELIVERED, requestId })
  await context.faults('rejected-conversion.documented')
  const said = { serverId: server.id, orderId, backFt: add(back.money, back.bonus).minor.toString(), because }
  context.log.warn({ requestId, ...said }, 'a conversion that its node rejected was reverted')
}

/**
 * If the test has ended, it ends again now: the owner is notified, and the server is kept for another 72 h. The order
 * ends as failed, with its coupon free again.
 */
async function writeTestServer(tx: Sql, context: MoneyContext, { server, conversion, because }: Step): Promise<void> {
  const { id: serverId } = server
  const { orderId, before, requestId } = conversion
  const now = new Date(context.clock.now())
  // Late reports of the node about the larger size have no effect: it is sent the smaller one under a higher
  // generation.
  await supersedeOpenUpdates(tx, serverId, now.getTime())
  await tx.query('update control.servers set is_test = true, auto_renew = false, expires_at = $2 where id = $1', [
    serverId,
    new Date(Math.max(before.expiresAtMs, now.getTime())),
  ])
  const { limits, packageId, monthly } = before
  await resizeServer(tx, context, { server, limits, packageId, monthly, requestId })
  // A package that was planned since belongs to the paid server.
  await writePlan(tx, serverId, null)
  await tx.query(`update control.orders set state = 'failed', failure_reason = $2, reversed_at = $3 where id = $1`, [
    orderId,
    `size ${because}`,
    now,
  ])
  await tx.query(
    `update control.coupon_reservations set state = 'released', settled_at = $2 where order_id = $1 and state = 'used'`,
    [orderId, now],
  )
}
