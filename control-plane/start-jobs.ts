import { reconcilePayments } from './money/payments/reconcile-payments.ts'
import { issueWaiting } from './money/invoices/issue-waiting.ts'
import { checkPayment } from './money/payments/settle-payment.ts'
import type { Dependencies } from './dependencies.ts'
import { auditLedger, auditRecentLedger } from './money/ledger/audit-ledger.ts'
import { handInvoiceOver, reviveHandOvers } from './money/invoices/hand-over.ts'
import { mailInvoice, mailInvoices } from './money/invoices/mail-invoice.ts'
import { noteEarlierMailboxes } from './money/mailboxes/mailbox-store.ts'
import { catchUpOrders } from './money/orders/catch-up-orders.ts'
import { expireHolds, settleOrder } from './money/orders/settle-order.ts'
import { settleDelivered } from './money/orders/settle-delivered.ts'
import { runLifetime } from './money/lifetime/run-lifetime.ts'
import { reverseConversions } from './money/conversion/reverse-conversion.ts'
import { revertRejected } from './money/modification/revert-rejected.ts'
import type { ReadContent } from './messages/inbox/mail-content.ts'
import { findMailParser, MailParser } from './messages/inbox/mail-parser.ts'
import { reviveMails, sendMail } from './messages/mail/send-mail.ts'
import { reviveNotices, tellNotice, tellNotices } from './messages/notices/tell-notice.ts'
import { runPremiumCycle } from './money/premium/premium-cycle.ts'
import { startOutboxRelay, type DeliverTogether } from './platform/outbox-relay.ts'
import { revivePushes, sendPush } from './messages/push/send-push.ts'
import { reconcileServer } from './servers/provisioning/apply-plan.ts'
import { whereDue } from './servers/provisioning/where-due.ts'
import { sweep } from './people/sweep.ts'
import { inboxReader } from './tickets/mail/read-inbox.ts'
import { mailReplies } from './tickets/mail/reply-mails.ts'
import { sitePicturesAt } from './tickets/mail/site-pictures.ts'
import { checkVatNumbers } from './money/tax/check-vat-numbers.ts'
import type { Processors } from './platform/jobs/job-catalog.ts'
import { createDelivery, createDeliveryTogether } from './platform/jobs/queues.ts'
import { startSchedules } from './platform/jobs/schedules.ts'
import { startWorkers } from './platform/jobs/workers.ts'

/** Relay, workers and schedules. */
export async function startJobs(deps: Dependencies): Promise<void> {
  const { context, bus, queue, metrics, shutdown } = deps
  await noteEarlierMailboxes(context)
  const processors = {
    ...moneyJobs(deps),
    ...messageJobs(deps),
    ...ticketJobs(deps),
    'provision-server': ({ serverId }, { requestId }) => reconcileServer(serverId, requestId, { ...context, metrics }),
    housekeeping: async () => {
      await sweep(context)
      await catchUpOrders(context)
      await noteEarlierMailboxes(context)
    },
  } satisfies Processors
  await startWorkers({ ...context, queue, metrics, processors })
  const schedules = await startSchedules(queue, context.log)
  shutdown.add('schedules', () => schedules.close())
  const together = createDeliveryTogether({ queue, bus }, tellingAtOnce({ ...context, ...deps.mailing }))
  const { 'provision-server': provision } = together
  const deliverTogether = { ...together, ...(provision && { 'provision-server': whereDue(context, provision) }) }
  const deliver = createDelivery({ queue, bus })
  const relay = await startOutboxRelay({ ...context, metrics, deliver, deliverTogether })
  shutdown.add('outbox relay', () => relay.close())
}

/** Topics that the relay handles itself: usually there is no recipient, or just one row to write. */
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

/** Jobs that settle, bill and post. Jobs triggered by time alone wait while the clock is in doubt. */
const moneyJobs = ({ context, clockGuard, mailing, invoiceProvider, vatOffice, metrics }: Dependencies) =>
  ({
    'order-settle': (outcome) => settleOrder(context, outcome),
    'payment-check': ({ paymentId }) => checkPayment(context, paymentId),
    'payment-reconcile': () => reconcilePayments(context),
    'invoice-mail': ({ invoiceId }, { requestId }) => mailInvoice({ ...context, ...mailing }, invoiceId, requestId),
    'invoice-hand-over': ({ invoiceId }) => handInvoiceOver({ ...context, invoiceProvider }, invoiceId),
    'invoice-waiting': async () => {
      await issueWaiting(context)
      await reviveHandOvers(context)
    },
    'vat-check': () => checkVatNumbers({ ...context, vatOffice }),
    'premium-cycle': async () => {
      if (await clockGuard.mayBill()) await runPremiumCycle(context)
    },
    'hold-expiry': async () => {
      await settleDelivered(context)
      if (await clockGuard.mayBill()) await expireHolds(context)
    },
    'rejected-sizes': async () => {
      if (!(await clockGuard.mayBill())) return
      await revertRejected(context)
      await reverseConversions(context)
    },
    'server-lifetime': () => runLifetime({ ...context, ...mailing, clockGuard }),
    'ledger-audit': () => auditRecentLedger(context, metrics),
    'ledger-audit-whole': () => auditLedger(context, metrics),
  }) satisfies Partial<Processors>

/** Mails are parsed in a thread of their own, which the shutdown ends. */
const parserOf = ({ context: { log }, shutdown }: Dependencies): ReadContent => {
  const parser = new MailParser({ program: findMailParser(), log })
  shutdown.add('parser of mails', () => parser.close())
  return parser.read
}

/** Mails of tickets, both ways. Without a mailbox nothing is read. */
const ticketJobs = (deps: Dependencies) => {
  const { context, mailing, inbox, metrics, scanner, settings } = deps
  const { addresses } = mailing.mail
  const { siteInternalUrl: url, internalSecret: secret } = settings
  const spamHeader = settings.mail.replies?.spamHeader
  const read =
    inbox && addresses
      ? inboxReader({
          ...context,
          ...mailing,
          metrics,
          scanner,
          inbox,
          inbound: {
            addresses,
            readContent: parserOf(deps),
            rewritePicture: sitePicturesAt({ url, secret }),
            spamHeader,
          },
        })
      : () => Promise.resolve()
  return {
    'ticket-mails': () => mailReplies({ ...context, ...mailing }),
    'mail-inbox': read,
  } satisfies Partial<Processors>
}

/** Jobs that deliver mails and pushes, and revive those whose process died. */
const messageJobs = ({ context, mailing, push, metrics }: Dependencies) =>
  ({
    'mail-send': ({ mailId }) => sendMail({ ...context, ...mailing, metrics }, mailId),
    'mail-revive': () => reviveMails(context),
    'notice-tell': ({ notificationId }, { requestId }) =>
      tellNotice({ ...context, ...mailing }, notificationId, requestId),
    'push-send': ({ messageId }) => sendPush({ ...context, push, metrics }, messageId),
    'notice-revive': async () => {
      await reviveNotices(context)
      await revivePushes(context)
    },
  }) satisfies Partial<Processors>
