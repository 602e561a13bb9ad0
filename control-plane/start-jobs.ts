import { reconcilePayments } from './money/payments/reconcile-payments.ts'
import { issueWaiting } from './money/invoices/issue-waiting.ts'
import { checkPayment } from './money/payments/settle-payment.ts'
import type { Dependencies } from './dependencies.ts'
import { auditLedger, auditRecentLedger } from './money/ledger/audit-ledger.ts'
import { handInvoiceOver, reviveHandOvers } from './money/invoices/hand-over.ts'
import { mailInvoice, mailInvoices } from './money/invoices/mail-invoice.ts'
import { catchUpOrders } from './money/orders/catch-up-orders.ts'
import { expireHolds, settleOrder } from './money/orders/settle-order.ts'
import { settleDelivered } from './money/orders/settle-delivered.ts'
import { runLifetime } from './money/lifetime/run-lifetime.ts'
import { reverseConversions } from './money/conversion/reverse-conversion.ts'
import { reverseUntaken } from './money/modification/reverse-untaken.ts'
import { reviveMails, sendMail } from './messages/mail/send-mail.ts'
import { reviveNotices, tellNotice, tellNotices } from './messages/notices/tell-notice.ts'
import { runPremiumCycle } from './money/premium/premium-cycle.ts'
import { startOutboxRelay, type DeliverTogether } from './platform/outbox-relay.ts'
import { revivePushes, sendPush } from './messages/push/send-push.ts'
import { reconcileServer } from './servers/provisioning/apply-plan.ts'
import { sweep } from './people/sweep.ts'
import { checkVatNumbers } from './money/tax/check-vat-numbers.ts'
import { createProcessors } from './platform/jobs/processors.ts'
import { createDelivery, createDeliveryTogether } from './platform/jobs/queues.ts'
import { startSchedules } from './platform/jobs/schedules.ts'
import { startWorkers } from './platform/jobs/workers.ts'

/** Relay, workers and schedules. */
export async function startJobs({
  context,
  clockGuard,
  mailing,
  invoiceProvider,
  vatOffice,
  push,
  bus,
  queue,
  metrics,
  shutdown,
}: Dependencies): Promise<void> {
  const processors = createProcessors({
    reconcileServer: async (serverId, requestId) => {
      await reconcileServer(serverId, requestId, { ...context, metrics })
    },
    settleOrder: (outcome) => settleOrder(context, outcome),
    checkPayment: async (paymentId) => {
      await checkPayment(context, paymentId)
    },
    sendMail: (mailId) => sendMail({ ...context, ...mailing, metrics }, mailId),
    reviveMails: async () => {
      await reviveMails(context)
    },
    mailInvoice: (id, requestId) => mailInvoice({ ...context, ...mailing }, id, requestId),
    handInvoiceOver: (id) => handInvoiceOver({ ...context, invoiceProvider }, id),
    issueWaiting: async () => {
      await issueWaiting(context)
      await reviveHandOvers(context)
    },
    checkVatNumbers: async () => {
      await checkVatNumbers({ ...context, vatOffice })
    },
    tellNotice: (id, requestId) => tellNotice({ ...context, ...mailing }, id, requestId),
    sendPush: (id) => sendPush({ ...context, push, metrics }, id),
    reviveNotices: async () => {
      await reviveNotices(context)
      await revivePushes(context)
    },
    reconcilePayments: async () => {
      await reconcilePayments(context)
    },
    ...byTheClock({ context, clockGuard }),
    runLifetime: async () => {
      await runLifetime({ ...context, ...mailing, clockGuard })
    },
    auditRecentLedger: async () => {
      await auditRecentLedger(context, metrics)
    },
    auditLedger: async () => {
      await auditLedger(context, metrics)
    },
    sweep: async () => {
      await sweep(context)
      await catchUpOrders(context)
    },
  })
  await startWorkers({ ...context, queue, metrics, processors })
  const schedules = await startSchedules(queue, context.log)
  shutdown.add('schedules', () => schedules.close())
  const deliverTogether = createDeliveryTogether({ queue, bus }, tellingAtOnce({ ...context, ...mailing }))
  const deliver = createDelivery({ queue, bus })
  const relay = await startOutboxRelay({ ...context, metrics, deliver, deliverTogether })
  shutdown.add('outbox relay', () => relay.close())
}

/** What the relay does itself: most of it finds nobody to write to, or writes one row. */
const tellingAtOnce = (context: Parameters<typeof tellNotices>[0]): DeliverTogether => ({
  'notice-tell': (messages) =>
    tellNotices(
      context,
      messages.map(({ payload, requestId }) => ({ ...payload, requestId })),
    ),
  'invoice-mail': (messages) =>
    mailInvoices(
      context,
      messages.map(({ payload, requestId }) => ({ ...payload, requestId })),
    ),
})

/** What is due by its time alone: not while the clock is in doubt. */
const byTheClock = ({ context, clockGuard }: Pick<Dependencies, 'context' | 'clockGuard'>) => ({
  runPremiumCycle: async () => {
    if (await clockGuard.mayBill()) await runPremiumCycle(context)
  },
  expireHolds: async () => {
    await settleDelivered(context)
    if (await clockGuard.mayBill()) await expireHolds(context)
  },
  reverseUntaken: async () => {
    if (!(await clockGuard.mayBill())) return
    await reverseUntaken(context)
    await reverseConversions(context)
  },
})
