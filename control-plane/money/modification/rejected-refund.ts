import type { LocalizedText } from '#contracts/locale.ts'
import { add } from '#domain/billing/money.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import { assert } from '#domain/kernel/assert.ts'
import { payDebt } from '../wallet/debt.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { recordSalesGivenBack, type GivenBackSales } from '../sale/sale-given-back.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { rejectedReturned } from '../ledger/give-back-postings.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ServerRecord } from '../../servers/store/server-store.ts'
import { noteObserved } from './pending-sizes.ts'

/** The reason on the document. */
export const NOT_DELIVERED: LocalizedText = {
  en: 'The larger size was not delivered',
  hu: 'A nagyobb méret nem teljesült',
  de: 'Die größeren Ressourcen wurden nicht geliefert',
}

const BATCH = 100

export type RevertRun = { readonly reversed: number; readonly failed: number }
type Looking = {
  /** A page of servers, ordered by id. */
  readonly find: (page: { readonly afterId: string | undefined; readonly limit: number }) => Promise<string[]>
  /** Whether something was reverted for the server; a separate transaction. */
  readonly reverseOn: (serverId: string) => Promise<boolean>
  /** The log text of a failure, which is retried in the next run. */
  readonly failure: string
}

/** Refunds sizes that nodes rejected, server by server. Idempotent. */
export async function reverseEach(context: MoneyContext, { find, reverseOn, failure }: Looking): Promise<RevertRun> {
  await noteObserved(context.db, context)
  let [reversed, failed] = [0, 0]
  let afterId: string | undefined
  for (;;) {
    const ids = await find({ afterId, limit: BATCH })
    for (const serverId of ids) {
      try {
        if (await reverseOn(serverId)) reversed += 1
      } catch (error) {
        failed += 1
        context.log.error({ serverId, reason: String(error) }, failure)
      }
    }
    if (ids.length < BATCH) return { reversed, failed }
    afterId = ids.at(-1)
  }
}

/** A paid size that its node rejected: a resize, or a conversion order. */
export type Rejected = {
  readonly server: ServerRecord
  readonly document: { readonly kind: 'order' | 'modification'; readonly id: string }
  readonly userId: string
  readonly requestId: string
  readonly because: 'refused' | 'silent'
  readonly back: Buckets
}

/** The money returns to its buckets; nothing if staff or a withdrawal refunded all of it before. */
export async function refundRejected(
  tx: Sql,
  context: MoneyContext,
  { server, document, userId, requestId, back, sales }: Rejected & { readonly sales: GivenBackSales },
): Promise<void> {
  const amount = add(back.money, back.bonus)
  if (amount.minor === 0n) return
  const reason = `${server.serviceName.en} did not get the larger size`
  const split = await recordSalesGivenBack(tx, context, sales)
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: 'system', requestId }
  const posted = await context.ledgerOn(tx).post(rejectedReturned(origin, { ...back, split, userId, reason, document }))
  assert(posted.ok, 'What was paid can be given back, once.')
  await writeStatementLine(tx, context, {
    userId,
    type: 'refund',
    paymentType: 'balance',
    status: 'finished',
    amountFt: amount.minor,
    reason,
    document,
  })
  await payDebt(tx, context, { documentId: document.id, userId, requestId })
}

/** The activity log, the balance on open pages, and the notification. */
export async function tellRejected(tx: Sql, context: MoneyContext, rejected: Rejected): Promise<void> {
  const { server, document, userId, requestId, because, back } = rejected
  const { id: serverId, name } = server
  const amount = add(back.money, back.bonus)
  const amountFt = Number(amount.minor)
  const named = document.kind === 'order' ? { orderId: document.id } : { modificationId: document.id }
  const detail = { ...named, amountFt, because }
  const done = { type: 'server.size-refused', status: 'failure', doneBy: 'system', detail } as const
  await recordActivity(tx, context, { userId, serverId, ...done })
  if (amountFt === 0) return
  const { available: balance } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  await announceBalance(tx, context, { userId, type: 'refund', change: amount, balance, requestId })
  const data = { sid: serverId, name, amount: amountFt }
  await notifyUser(tx, context, { userId, text: 'refund.size', data, requestId })
}
