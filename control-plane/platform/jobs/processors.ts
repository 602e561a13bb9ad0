import type { Logger } from '#platform/logger.ts'
import type { JobName, JobPayload } from './job-catalog.ts'

export type JobInfo = {
  readonly id: string
  readonly requestId: string
  readonly attempt: number
  readonly log: Logger
}

/** One function for each job of the catalogue: five lines that call a use case. */
export type Processors = {
  readonly [Name in JobName]: (payload: JobPayload<Name>, job: JobInfo) => Promise<void>
}

/** The use cases behind the jobs. */
export type ProcessorDeps = {
  reconcileServer: (serverId: string, requestId: string) => Promise<void>
  settleOrder: (payload: JobPayload<'order-settle'>, requestId: string) => Promise<void>
  checkPayment: (paymentId: string, requestId: string) => Promise<void>
  sendMail: (mailId: string) => Promise<void>
  reviveMails: () => Promise<void>
  mailInvoice: (invoiceId: string, requestId: string) => Promise<void>
  handInvoiceOver: (invoiceId: string) => Promise<void>
  issueWaiting: () => Promise<void>
  checkVatNumbers: () => Promise<void>
  tellNotice: (notificationId: string, requestId: string) => Promise<void>
  sendPush: (messageId: string) => Promise<void>
  reviveNotices: () => Promise<void>
  reconcilePayments: () => Promise<void>
  runPremiumCycle: () => Promise<void>
  expireHolds: () => Promise<void>
  reverseUntaken: () => Promise<void>
  runLifetime: () => Promise<void>
  auditRecentLedger: () => Promise<void>
  auditLedger: () => Promise<void>
  sweep: () => Promise<void>
}

export function createProcessors(deps: ProcessorDeps): Processors {
  return {
    'provision-server': ({ serverId }, job) => deps.reconcileServer(serverId, job.requestId),
    'order-settle': (payload, job) => deps.settleOrder(payload, job.requestId),
    'payment-check': ({ paymentId }, job) => deps.checkPayment(paymentId, job.requestId),
    'mail-send': ({ mailId }) => deps.sendMail(mailId),
    'invoice-mail': ({ invoiceId }, job) => deps.mailInvoice(invoiceId, job.requestId),
    'invoice-hand-over': ({ invoiceId }) => deps.handInvoiceOver(invoiceId),
    'invoice-waiting': () => deps.issueWaiting(),
    'vat-check': () => deps.checkVatNumbers(),
    'mail-revive': () => deps.reviveMails(),
    'notice-tell': ({ notificationId }, job) => deps.tellNotice(notificationId, job.requestId),
    'push-send': ({ messageId }) => deps.sendPush(messageId),
    'notice-revive': () => deps.reviveNotices(),
    'payment-reconcile': () => deps.reconcilePayments(),
    'premium-cycle': () => deps.runPremiumCycle(),
    'hold-expiry': () => deps.expireHolds(),
    'untaken-sizes': () => deps.reverseUntaken(),
    'server-lifetime': () => deps.runLifetime(),
    'ledger-audit': () => deps.auditRecentLedger(),
    'ledger-audit-whole': () => deps.auditLedger(),
    housekeeping: () => deps.sweep(),
  }
}
