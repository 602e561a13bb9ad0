import type { Balance } from '#contracts/http/balance.ts'
import type { Order } from '#contracts/http/order.ts'
import type { InternalInput, InternalOutput } from '#contracts/internal-api/calls.ts'
import { cancelTopUp } from '../money/payments/cancel-top-up.ts'
import { checkTopUp } from '../money/payments/check-top-up.ts'
import { readDebtFt } from '../money/wallet/debt.ts'
import { paymentMethodOf } from '../money/payments/payment-methods.ts'
import { readRenewalDiscount, readRenewing } from '../money/renewals/renewing-servers.ts'
import { startTopUp } from '../money/payments/start-top-up.ts'
import { placeOrder } from '../money/orders/place-order.ts'
import { quoteOrder } from '../money/orders/quote-order.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ApiDeps, CallMeta } from './api-deps.ts'
import { ApiRefusal, orderRefused, topUpRefused } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'
import { findServer } from '../servers/store/read-servers.ts'

export async function balanceOf({ context }: ApiDeps, { caller }: InternalInput<'balance'>): Promise<Balance> {
  const { db, clock } = context
  const { userId } = caller
  const ledger = context.ledgerOn(db)
  const [balance, debtFt, renewing, renewalDiscount] = await Promise.all([
    ledger.userBalance(userId, 'HUF'),
    readDebtFt(ledger, userId),
    readRenewing(db, userId),
    readRenewalDiscount(db, { userId, nowMs: clock.now() }),
  ])
  return {
    balanceFt: Number(balance.available.minor),
    moneyFt: Number(balance.money.minor),
    bonusFt: Number(balance.bonus.minor),
    heldFt: Number(balance.held.minor),
    debtFt: Number(debtFt),
    renewing,
    renewalDiscount,
    methods: context.providers.all.map(paymentMethodOf),
  }
}

export async function topUp(
  { context }: ApiDeps,
  input: InternalInput<'topup'>,
  meta: CallMeta,
): Promise<InternalOutput<'topup'>> {
  const { requestId } = meta
  const result = await startTopUp(context, { ...input, requestId, idempotencyKey: keyOf(meta) })
  if (!result.ok) throw topUpRefused(result.code, { maximum: Number(context.maximumBalanceFt ?? 0n) })
  return result.answer
}

export async function checkOwnTopUp(
  { context }: ApiDeps,
  { caller, transaction }: InternalInput<'topup-check'>,
): Promise<InternalOutput<'topup-check'>> {
  const answer = await checkTopUp(context, { userId: caller.userId, transaction })
  if (!answer) throw new ApiRefusal('NOT_FOUND')
  return answer
}

export async function cancelOwnTopUp(
  { context }: ApiDeps,
  { caller, transaction }: InternalInput<'cancel-topup'>,
): Promise<InternalOutput<'cancel-topup'>> {
  const answer = await cancelTopUp(context, { userId: caller.userId, transaction })
  if (!answer) throw new ApiRefusal('NOT_FOUND')
  return answer
}

export async function quote({ context }: ApiDeps, input: InternalInput<'quote'>): Promise<InternalOutput<'quote'>> {
  const result = await quoteOrder(context, { userId: input.caller.userId, request: input.request })
  if (!result.ok) throw orderRefused(result)
  return result.quote
}

export async function order(
  { context }: ApiDeps,
  input: InternalInput<'order'>,
  meta: CallMeta,
): Promise<InternalOutput<'order'>> {
  const result = await placeOrder(context, { ...input, requestId: meta.requestId, idempotencyKey: keyOf(meta) })
  if (!result.ok) throw orderRefused(result)
  const { orderId, serverId } = result.answer
  const [placed, server] = await Promise.all([
    readOrder(context.db, orderId),
    findServer(context, { caller: input.caller, serverId }),
  ])
  // A repeated key may name an order whose server has been deleted meanwhile.
  if (!server) throw new ApiRefusal('NOT_FOUND')
  return { order: placed, server }
}

type OrderRow = { id: string; state: Order['state']; total_ft: bigint; created_at: Date; failure_reason: string | null }

async function readOrder(sql: Sql, orderId: string): Promise<Order> {
  const [row] = await sql.query<OrderRow>(
    'select id, state, total_ft, created_at, failure_reason from control.orders where id = $1',
    [orderId],
  )
  if (!row) throw new Error(`order ${orderId} does not exist`)
  return {
    id: row.id,
    state: row.state,
    totalFt: Number(row.total_ft),
    createdAt: row.created_at.toISOString(),
    failureReason: row.failure_reason,
  }
}
