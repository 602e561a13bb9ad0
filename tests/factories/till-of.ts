import { HTTPException } from 'hono/http-exception'
import { reconcilePayments } from '../../control-plane/money/payments/reconcile-payments.ts'
import { startTopUp } from '../../control-plane/money/payments/start-top-up.ts'
import { readStatement } from '../../control-plane/money/wallet/statement.ts'
import type { PaymentContext } from '../../control-plane/money/payments/payment-context.ts'
import { paymentRoutes } from './payment-routes.ts'
import { receiveHint } from '../../control-plane/money/payments/receive-hint.ts'
import type { PaymentProvider } from '../../control-plane/money/payments/payment-provider.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from './control-database.ts'
import { balanceOf } from './shop.ts'
import { paymentContext, topUpCommand } from './till.ts'

export const START_MS = Date.UTC(2026, 5, 1)

/** Payments with these providers on a database, and the queries of a test. Clocks stay at `START_MS` unless moved. */
export function tillOf(database: () => ControlDatabase, providers: () => readonly PaymentProvider[]) {
  const context = (options: { now?: () => number; faults?: FaultPoint } = {}): PaymentContext => {
    const all = providers()
    return paymentContext(database().db, { ...options, providers: { all, find: (id) => all.find((p) => p.id === id) } })
  }
  const paymentsOf = (userId: string) =>
    database().owner.query<{
      id: string
      provider_payment_id: string
      state: string
      problem: string | null
      dispute: string
      refunded_ft: bigint
    }>(
      `select id, provider_payment_id, state, problem, dispute, refunded_ft from control.payments where user_id = $1 order by id`,
      [userId],
    )
  return {
    context,
    paymentsOf,
    /** A customer with an open payment at the provider. */
    async open({
      method,
      amount = 1990,
      userId = systemIds.next(),
    }: {
      method: string
      amount?: number
      userId?: string
    }) {
      const result = await startTopUp(context(), topUpCommand(userId, { method, amount }))
      if (!result.ok) throw new Error(result.code)
      const payment = (await paymentsOf(userId)).at(-1)
      if (!payment) throw new Error('no payment was written')
      return { userId, paymentId: payment.id, providerPaymentId: payment.provider_payment_id, answer: result.answer }
    },
    /** The payment routes of the public listener, as the gateway serves them. */
    routes(now?: () => number) {
      const at = context(now ? { now } : {})
      const onHint = (hint: Parameters<typeof receiveHint>[1]) => receiveHint(at, hint)
      const routes = paymentRoutes({ context: at, providers: at.providers, onHint })
      return routes.onError((error, request) =>
        error instanceof HTTPException ? error.getResponse() : request.text('', 500),
      )
    },
    reconcileAt: (atMs: number) => reconcilePayments(context({ now: () => atMs })),
    money: async (userId: string) => (await balanceOf(database().db, userId)).money,
    statement: async (userId: string) =>
      (await readStatement(database().db, { userId })).items.map(({ type, amount, status, refundedFt }) => ({
        type,
        amount,
        status,
        refundedFt,
      })),
    unmatched: (where = 'true') =>
      database().owner.query<{
        id: string
        problem: string
        state: string
        user_id: string | null
        payment_id: string | null
      }>(`select id, problem, state, user_id, payment_id from control.unmatched_payments where ${where} order by id`),
    postings: (kind: string, refId: string) =>
      database().owner.query('select reason from control.ledger_transactions where kind = $1 and ref_id = $2', [
        kind,
        refId,
      ]),
    /** Every row that an external message could change. */
    everything: () =>
      database().owner.query(
        `select (select count(*) from control.ledger_transactions) as posted, (select count(*) from control.payments) as payments,
           (select count(*) from control.provider_events) as events, (select count(*) from control.phone_messages) as messages,
           (select count(*) from control.unmatched_payments) as unmatched, (select max(updated_at) from control.payments) as changed,
           (select sum(checks) from control.payments) as checks, (select count(*) from control.outbox) as outbox`,
      ),
  }
}
