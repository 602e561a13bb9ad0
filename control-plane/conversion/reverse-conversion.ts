import type { LocalizedText } from '#contracts/locale.ts'
import { add, type Money } from '#domain/billing/money.ts'
import { bucketsGivenBack } from '#domain/billing/paid-buckets.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import { giveBackAll, judgeSize } from '#domain/billing/untaken-size.ts'
import { assert } from '#domain/kernel/assert.ts'
import { payDebt } from '../billing/debt.ts'
import { announceBalance, notifyUser, recordActivity } from '../billing/notify-user.ts'
import {
  correctDocuments,
  partsOfSpans,
  recordSalesGivenBack,
  type GivenBackSales,
} from '../billing/sale-given-back.ts'
import { writeStatementLine } from '../billing/statement.ts'
import { conversionReturned } from '../ledger/give-back-postings.ts'
import { readSpans, updateSpans } from '../modification/held-spans.ts'
import { resizeServer } from '../modification/resize-server.ts'
import { noteObserved } from '../modification/untaken-sizes.ts'
import type { OrderContext } from '../orders/order-context.ts'
import type { Sql } from '../platform/postgres.ts'
import { supersedeOpenUpdates } from '../store/command-store.ts'
import { lockServer, type ServerRecord } from '../store/server-store.ts'
import { findUntakenConversions, lockConversion, type UntakenConversion } from './converted-from.ts'

/** Where a crash matters, in the order in which they are passed. */
export const UNTAKEN_CONVERSION_FAULTS = [
  'untaken-conversion.decided',
  'untaken-conversion.money-moved',
  'untaken-conversion.server-written',
  'untaken-conversion.told',
  'untaken-conversion.documented',
  'untaken-conversion.committed',
] as const

const BATCH = 100

export type ConversionRun = { readonly reversed: number; readonly failed: number }

/**
 * Takes back every conversion whose larger size its node does not take: the server is the test server of before and the order's money
 * is back. Each is a transaction of its own; one that goes wrong is logged and tried again in the next run. Harmless when repeated.
 */
export async function reverseConversions(context: OrderContext): Promise<ConversionRun> {
  await noteObserved(context.db, context)
  let [reversed, failed] = [0, 0]
  let afterId: string | undefined
  for (;;) {
    const ids = await findUntakenConversions(context.db, { afterId, limit: BATCH })
    for (const serverId of ids) {
      try {
        if (await reverseOn(context, serverId)) reversed += 1
      } catch (error) {
        failed += 1
        context.log.error(
          { serverId, reason: String(error) },
          'a conversion that was not taken could not be taken back',
        )
      }
    }
    if (ids.length < BATCH) return { reversed, failed }
    afterId = ids.at(-1)
  }
}

async function reverseOn(context: OrderContext, serverId: string): Promise<boolean> {
  const isReversed = await context.db.transaction(async (tx) => {
    const server = await lockServer(tx, serverId)
    if (!server || server.desired !== 'installed' || server.deletedAtMs !== null) return false
    const conversion = await lockConversion(tx, context, serverId)
    const verdict = conversion && judgeSize(conversion.facts)
    if (!conversion || verdict?.act !== 'reverse') return false
    if (conversion.isRenewed) {
      const { orderId } = conversion
      context.log.error({ serverId, orderId }, 'a conversion that was renewed since is not taken by its node')
      return false
    }
    await reverse(tx, context, { server, conversion, because: verdict.because })
    return true
  })
  if (isReversed) await context.faults('untaken-conversion.committed')
  return isReversed
}

type Step = {
  readonly server: ServerRecord
  readonly conversion: UntakenConversion
  readonly because: 'refused' | 'silent'
}

async function reverse(tx: Sql, context: OrderContext, step: Step): Promise<void> {
  const { server, conversion, because } = step
  const { orderId, requestId } = conversion
  const held = (await readSpans(tx, server.id)).filter(({ cause }) => cause.kind === 'order' && cause.id === orderId)
  const before = held.map(({ span }) => span)
  const spans = giveBackAll(before)
  const back = bucketsGivenBack(before, spans, 'HUF')
  await context.faults('untaken-conversion.decided')
  const sales: GivenBackSales = { parts: partsOfSpans(held, spans), cause: { type: 'untaken-size', id: orderId } }
  await moveMoney(tx, context, { ...step, back, sales })
  await updateSpans(tx, held, spans)
  await context.faults('untaken-conversion.money-moved')
  await writeTestServer(tx, context, step)
  await context.faults('untaken-conversion.server-written')
  const amount = add(back.money, back.bonus)
  await tell(tx, context, { ...step, amount })
  await context.faults('untaken-conversion.told')
  await correctDocuments(tx, context, { ...sales, reason: REASON, requestId })
  await context.faults('untaken-conversion.documented')
  const said = { serverId: server.id, orderId, backFt: amount.minor.toString(), because }
  context.log.warn({ requestId, ...said }, 'a conversion that its node did not take was taken back')
}

/** On the document. */
const REASON: LocalizedText = {
  en: 'The larger size was not delivered',
  hu: 'A nagyobb méret nem teljesült',
  de: 'Die größeren Ressourcen wurden nicht geliefert',
}

/** Nothing where staff gave all of it back before. */
async function moveMoney(
  tx: Sql,
  context: OrderContext,
  { server, conversion, back, sales }: Step & { readonly back: Buckets; readonly sales: GivenBackSales },
): Promise<void> {
  const amount = add(back.money, back.bonus)
  if (amount.minor === 0n) return
  const { userId, requestId, orderId } = conversion
  const reason = `${server.serviceName.en} did not get the larger size`
  const split = await recordSalesGivenBack(tx, context, sales)
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: 'system', requestId }
  const posted = await context
    .ledgerOn(tx)
    .post(conversionReturned(origin, { ...back, split, userId, reason, orderId }))
  assert(posted.ok, 'What was paid can be given back, once.')
  const document = { kind: 'order', id: orderId } as const
  await writeStatementLine(tx, context, {
    ...{ userId, type: 'refund', paymentType: 'balance', status: 'finished', amountFt: amount.minor },
    ...{ reason, document },
  })
  await payDebt(tx, context, { documentId: orderId, userId, requestId })
}

/**
 * A test that is over ends now, once more: its owner is told, and it is kept for 72 h from then on. The order ends as one that failed,
 * with its coupon free again.
 */
async function writeTestServer(tx: Sql, context: OrderContext, { server, conversion, because }: Step): Promise<void> {
  const { id: serverId } = server
  const { orderId, before, requestId } = conversion
  const now = new Date(context.clock.now())
  // Late words of the node on the larger size end nothing: it is sent the smaller one under a higher generation.
  await supersedeOpenUpdates(tx, serverId, now.getTime())
  await tx.query(
    'update control.servers set is_test = true, auto_renew = false, package_id = $2, expires_at = $3 where id = $1',
    [serverId, before.packageId, new Date(Math.max(before.expiresAtMs, now.getTime()))],
  )
  await resizeServer(tx, context, { server, limits: before.limits, monthly: before.monthly, requestId })
  await tx.query(`update control.orders set state = 'failed', failure_reason = $2, reversed_at = $3 where id = $1`, [
    ...[orderId, `size ${because}`, now],
  ])
  await tx.query(
    `update control.coupon_reservations set state = 'released', settled_at = $2 where order_id = $1 and state = 'used'`,
    [orderId, now],
  )
}

async function tell(tx: Sql, context: OrderContext, step: Step & { readonly amount: Money }): Promise<void> {
  const { server, conversion, because, amount } = step
  const { userId, requestId, orderId } = conversion
  const { id: serverId, name } = server
  const amountFt = Number(amount.minor)
  const detail = { orderId, amountFt, because }
  await recordActivity(tx, context, { userId, serverId, type: 'server.size-refused', status: 'failure', detail })
  if (amountFt === 0) return
  const { available: balance } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  await announceBalance(tx, context, { userId, type: 'refund', change: amount, balance, requestId })
  const data = { sid: serverId, name, amount: amountFt }
  await notifyUser(tx, context, { userId, text: 'refund.size', data, requestId })
}
