import { add, forints, sum, type Money } from '#domain/billing/money.ts'
import { bucketsGivenBack, giveBackAmount } from '#domain/billing/paid-buckets.ts'
import { unusedPaid } from '#domain/billing/paid-time.ts'
import { refundToBalanceFault, type Buckets, type RefundRefusal } from '#domain/billing/refund.ts'
import { parseForints } from '#domain/payments/top-up.ts'
import { assert } from '#domain/kernel/assert.ts'
import { serverRefunded } from '../ledger/give-back-postings.ts'
import { readSpans, updateSpans, type HeldSpan } from '../paid-time/held-spans.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockRenewable } from '../paid-time/lock-renewable.ts'
import { isErased } from '../../cms/cms-reader.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { lockServer, readServers, type ServerRecord } from '../../servers/store/server-store.ts'
import { endPaidTime } from './end-paid-time.ts'
import { payDebt } from '../wallet/debt.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import { correctDocuments, partsOfSpans, recordSalesGivenBack, type GivenBackSales } from '../sale/sale-given-back.ts'
import { writeStatementLine } from '../wallet/statement.ts'

export type RefundServer = {
  /** The member of staff who refunds it. */
  readonly staffId: string
  readonly serverId: string
  /** Undefined for the unused part of the payments. */
  readonly amountFt: number | undefined
  readonly reason: string
  /** Whether to end the server's paid time too. */
  readonly endServer: boolean
  readonly requestId: string
  readonly idempotencyKey: string
}
export type RefundedServer = { readonly refundId: string; readonly moneyFt: number; readonly bonusFt: number }
export type ServerRefundRefusal = RefundRefusal | { readonly ok: false; readonly code: 'NOT_FOUND' }

/** Fault points in the order in which they are passed. */
export const SERVER_REFUND_FAULTS = [
  'server-refund.begin',
  'server-refund.decided',
  'server-refund.money-moved',
  'server-refund.written',
  'server-refund.committed',
] as const

type Charged = { readonly paid: Money; readonly refunded: Money; readonly unused: Money }

/** Payments for a server over its whole life, their refunds, and the unused part. */
function chargedFor(held: readonly HeldSpan[], nowMs: number): Charged {
  const spans = held.map(({ span }) => span)
  const [paid, refunded] = [spans.map((span) => span.paid), spans.map((span) => span.returned)]
  return {
    paid: sum(paid, 'HUF'),
    refunded: sum(refunded, 'HUF'),
    unused: unusedPaid(spans, { nowMs, currency: 'HUF' }),
  }
}

const totalOf = ({ money, bonus }: Buckets): Money => add(money, bonus)

/** The refundable amounts of a server; undefined for an unknown server. */
export async function readServerCharges(
  context: MoneyContext,
  serverId: string,
): Promise<{ server: ServerRecord; paid: Money; returned: Money; unused: Money; unusedBuckets: Buckets } | undefined> {
  const [server] = await readServers(context.db, 's.id = $1', [serverId])
  if (!server || (await isErased(context.db, server.ownerId))) return undefined
  const held = await readSpans(context.db, serverId)
  const { paid, refunded, unused } = chargedFor(held, context.clock.now())
  const spans = held.map(({ span }) => span)
  const unusedBuckets = bucketsGivenBack(spans, giveBackAmount(spans, unused, context.clock.now()).spans, 'HUF')
  return { server, paid, returned: refunded, unused, unusedBuckets }
}

/**
 * Refunds payments for a server to the balance, in one transaction: future time first, latest first, then the rest, to
 * the money and bonus that paid it.
 */
export async function refundServer(
  context: MoneyContext,
  command: RefundServer,
): Promise<{ ok: true; answer: RefundedServer; replayed: boolean } | ServerRefundRefusal | KeyRefusal> {
  const { staffId, serverId, amountFt, reason, endServer, idempotencyKey: key } = command
  const result = await context.db.transaction((tx) => {
    const body = { serverId, amountFt, reason, endServer }
    const keyed = { scope: 'server-refund', userId: staffId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<RefundedServer, ServerRefundRefusal>(tx, keyed, () => refundOnce(tx, context, command))
  })
  await context.faults('server-refund.committed')
  return result
}

async function refundOnce(
  tx: Sql,
  context: MoneyContext,
  command: RefundServer,
): Promise<{ ok: true; answer: RefundedServer } | ServerRefundRefusal> {
  await context.faults('server-refund.begin')
  const { serverId, amountFt, reason } = command
  if (amountFt !== undefined && !parseForints(amountFt).ok) return { ok: false, code: 'AMOUNT_INVALID' }
  const server = await lockOwned(tx, serverId)
  if (!server) return { ok: false, code: 'NOT_FOUND' }
  const held = await readSpans(tx, serverId)
  const nowMs = context.clock.now()
  const charged = chargedFor(held, nowMs)
  const amount = amountFt === undefined ? charged.unused : forints(BigInt(amountFt))
  const fault = refundToBalanceFault(charged, { amount, reason })
  if (fault) return fault
  const { spans, rest } = giveBackAmount(
    held.map(({ span }) => span),
    amount,
    nowMs,
  )
  assert(rest.minor === 0n, 'What was paid and not given back stands in the spans.')
  const back = bucketsGivenBack(
    held.map(({ span }) => span),
    spans,
    'HUF',
  )
  await context.faults('server-refund.decided')
  const refundId = context.ids.next()
  const sales = { parts: partsOfSpans(held, spans), cause: { type: 'staff-refund', id: refundId } } as const
  await moveMoney(tx, context, { command, server, back, refundId, sales })
  await context.faults('server-refund.money-moved')
  await updateSpans(tx, held, spans)
  await writeRefund(tx, context, { command, server, back, refundId })
  await context.faults('server-refund.written')
  await correctDocuments(tx, context, { ...sales, reason, requestId: command.requestId })
  return { ok: true, answer: { refundId, moneyFt: Number(back.money.minor), bonusFt: Number(back.bonus.minor) } }
}

/** The server, locked after its owner. An erased account gets no refund. */
async function lockOwned(tx: Sql, serverId: string): Promise<ServerRecord | undefined> {
  const [server] = await readServers(tx, 's.id = $1', [serverId])
  if (!server) return undefined
  await lockInOrder(tx, { person: server.ownerId })
  return (await isErased(tx, server.ownerId)) ? undefined : lockServer(tx, serverId)
}

type Step = { command: RefundServer; server: ServerRecord; back: Buckets; refundId: string }

async function moveMoney(
  tx: Sql,
  context: MoneyContext,
  { command, server, back, refundId, sales }: Step & { sales: GivenBackSales },
): Promise<void> {
  const { staffId, reason, requestId } = command
  const { ownerId: userId } = server
  const split = await recordSalesGivenBack(tx, context, sales)
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: `staff:${staffId}`, requestId }
  const posted = await context.ledgerOn(tx).post(serverRefunded(origin, { ...back, split, userId, reason, refundId }))
  assert(posted.ok, 'What was paid can be given back.')
  await writeStatementLine(tx, context, {
    userId,
    type: 'refund',
    paymentType: 'balance',
    status: 'finished',
    reason,
    amountFt: totalOf(back).minor,
    document: { kind: 'server-refund', id: refundId },
  })
  await payDebt(tx, context, { documentId: refundId, userId, requestId })
}

async function writeRefund(tx: Sql, context: MoneyContext, { command, server, back, refundId }: Step): Promise<void> {
  const { staffId, serverId, reason, endServer, requestId } = command
  const { ownerId: userId } = server
  const nowMs = context.clock.now()
  await tx.query(
    `insert into control.server_refunds (id, server_id, user_id, staff_id, amount_money_ft, amount_bonus_ft, reason, ended_server,
       request_id, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      refundId,
      serverId,
      userId,
      staffId,
      back.money.minor.toString(),
      back.bonus.minor.toString(),
      reason,
      endServer,
      requestId,
      new Date(nowMs),
    ],
  )
  const renewable = endServer ? await lockRenewable(tx, serverId) : undefined
  if (renewable) await endPaidTime(tx, context, { server: renewable, endsAtMs: nowMs, requestId })
  const change = totalOf(back)
  const amount = Number(change.minor)
  const detail = { refundId, amountFt: amount, reason }
  const done = { serverId, status: 'success', detail } as const
  await recordActivity(tx, context, { ...done, userId, type: 'server.refunded', doneBy: 'staff' })
  await recordActivity(tx, context, { ...done, userId: staffId, type: 'staff.server-refund' })
  const { available: balance } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  await announceBalance(tx, context, { userId, type: 'refund', change, balance, requestId })
  const data = { sid: serverId, name: server.name, amount, reason }
  await notifyUser(tx, context, { userId, text: 'server.refunded', data, requestId })
}
