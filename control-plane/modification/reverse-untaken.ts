import type { LocalizedText } from '#contracts/locale.ts'
import { add, type Money } from '#domain/billing/money.ts'
import { bucketsGivenBack } from '#domain/billing/paid-buckets.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import { giveBackUntaken, judgeSize } from '#domain/billing/untaken-size.ts'
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
import { untakenReturned } from '../ledger/give-back-postings.ts'
import type { OrderContext } from '../orders/order-context.ts'
import type { Sql } from '../platform/postgres.ts'
import { supersedeOpenUpdates } from '../store/command-store.ts'
import { lockServer, type ServerRecord } from '../store/server-store.ts'
import { readSpans, updateSpans } from './held-spans.ts'
import { resizeServer } from './resize-server.ts'
import { findUntaken, lockNewestSize, noteObserved, type UntakenSize } from './untaken-sizes.ts'

/** Where a crash matters, in the order in which they are passed. */
export const UNTAKEN_FAULTS = [
  'untaken.locked',
  'untaken.decided',
  'untaken.money-moved',
  'untaken.size-written',
  'untaken.told',
  'untaken.documented',
  'untaken.committed',
] as const

const BATCH = 100

export type UntakenRun = { readonly reversed: number; readonly failed: number }

/**
 * Takes back every enlargement that was paid for and that its node does not take: size, price and money are as before it. Each is a
 * transaction of its own; one that goes wrong is logged and tried again in the next run. Harmless when repeated.
 */
export async function reverseUntaken(context: OrderContext): Promise<UntakenRun> {
  await noteObserved(context.db, context)
  let [reversed, failed] = [0, 0]
  let afterId: string | undefined
  for (;;) {
    const ids = await findUntaken(context.db, { afterId, limit: BATCH })
    for (const serverId of ids) {
      try {
        if (await reverseOn(context, serverId)) reversed += 1
      } catch (error) {
        failed += 1
        context.log.error({ serverId, reason: String(error) }, 'a size that was not taken could not be taken back')
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
    const size = await lockNewestSize(tx, context, server)
    await context.faults('untaken.locked')
    const verdict = size && judgeSize(size.facts)
    if (!size || verdict?.act !== 'reverse') return false
    await reverse(tx, context, { server, size, because: verdict.because })
    return true
  })
  if (isReversed) await context.faults('untaken.committed')
  return isReversed
}

type Step = { readonly server: ServerRecord; readonly size: UntakenSize; readonly because: 'refused' | 'silent' }

async function reverse(tx: Sql, context: OrderContext, step: Step): Promise<void> {
  const { server, size, because } = step
  const { id: serverId } = server
  const { requestId } = size
  const held = await readSpans(tx, serverId)
  const before = held.map(({ span, cause }) => ({ ...span, isOfChange: cause.id === size.id }))
  const { spans } = giveBackUntaken(before, { downTo: size.monthlyBefore, changedAtMs: size.createdAtMs })
  const back = bucketsGivenBack(before, spans, 'HUF')
  await context.faults('untaken.decided')
  const parts = partsOfSpans(held, spans)
  const sales: GivenBackSales = { parts, cause: { type: 'untaken-size', id: size.id } }
  await moveMoney(tx, context, { ...step, back, sales })
  await updateSpans(tx, held, spans)
  await context.faults('untaken.money-moved')
  // Late words of the node on the larger size end nothing: it is sent the smaller one under a higher generation.
  await supersedeOpenUpdates(tx, serverId, context.clock.now())
  const resize = { server, limits: size.limitsBefore, monthly: size.monthlyBefore, requestId }
  const generation = await resizeServer(tx, context, resize)
  await tx.query(
    'update control.modifications set reversed_at = $2, reversed_money_ft = $3, reversed_bonus_ft = $4 where id = $1',
    [size.id, new Date(context.clock.now()), back.money.minor.toString(), back.bonus.minor.toString()],
  )
  await context.faults('untaken.size-written')
  const amount = add(back.money, back.bonus)
  await tell(tx, context, { ...step, amount })
  await context.faults('untaken.told')
  await correctDocuments(tx, context, { ...sales, reason: REASON, requestId })
  await context.faults('untaken.documented')
  const said = { modificationId: size.id, backFt: amount.minor.toString(), because, generation }
  context.log.warn({ requestId, serverId, ...said }, 'a size that its node did not take was taken back')
}

/** On the document. */
const REASON: LocalizedText = {
  en: 'The larger size was not delivered',
  hu: 'A nagyobb méret nem teljesült',
  de: 'Die größeren Ressourcen wurden nicht geliefert',
}

/** Nothing where staff or a withdrawal gave all of it back before. */
async function moveMoney(
  tx: Sql,
  context: OrderContext,
  { server, size, back, sales }: Step & { readonly back: Buckets; readonly sales: GivenBackSales },
): Promise<void> {
  const amount = add(back.money, back.bonus)
  if (amount.minor === 0n) return
  const { userId, requestId, id: modificationId } = size
  const reason = `${server.serviceName.en} did not get the larger size`
  const split = await recordSalesGivenBack(tx, context, sales)
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: 'system', requestId }
  const posted = await context
    .ledgerOn(tx)
    .post(untakenReturned(origin, { ...back, split, userId, reason, modificationId }))
  assert(posted.ok, 'What was paid can be given back, once.')
  await writeStatementLine(tx, context, {
    ...{ userId, type: 'refund', paymentType: 'balance', status: 'finished', amountFt: amount.minor },
    ...{ reason, document: { kind: 'modification', id: modificationId } },
  })
  await payDebt(tx, context, { documentId: modificationId, userId, requestId })
}

async function tell(tx: Sql, context: OrderContext, step: Step & { readonly amount: Money }): Promise<void> {
  const { server, size, because, amount } = step
  const { userId, requestId } = size
  const { id: serverId, name } = server
  const amountFt = Number(amount.minor)
  const detail = { modificationId: size.id, amountFt, because }
  await recordActivity(tx, context, { userId, serverId, type: 'server.size-refused', status: 'failure', detail })
  if (amountFt === 0) return
  const { available: balance } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  await announceBalance(tx, context, { userId, type: 'refund', change: amount, balance, requestId })
  const data = { sid: serverId, name, amount: amountFt }
  await notifyUser(tx, context, { userId, text: 'refund.size', data, requestId })
}
