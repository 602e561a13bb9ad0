import type { ProcessorDeps } from '../../control-plane/platform/jobs/processors.ts'

const nothing = async () => {}

/** Workers of jobs that are none of a test's business. */
export const IDLE_PROCESSORS: ProcessorDeps = {
  ...{ reconcileServer: nothing, settleOrder: nothing, checkPayment: nothing, reviveMails: nothing, sweep: nothing },
  ...{ reviveNotices: nothing, reconcilePayments: nothing, expireHolds: nothing, auditRecentLedger: nothing },
  ...{ mailInvoice: nothing, handInvoiceOver: nothing, issueWaiting: nothing, runPremiumCycle: nothing },
  ...{ auditLedger: nothing, tellNotice: nothing, sendMail: nothing, sendPush: nothing, runLifetime: nothing },
  ...{ checkVatNumbers: nothing, reverseUntaken: nothing },
}
