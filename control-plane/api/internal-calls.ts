import { explainLine } from '../money/wallet/explain-line.ts'
import { readStatement } from '../money/wallet/statement.ts'
import { acceptMail } from '../messages/mail/accept-mail.ts'
import { notifyUser } from '../messages/notices/notify-user.ts'
import { readDeparture } from '../people/departure.ts'
import { erasePerson } from '../people/erase-person.ts'
import { exportPage } from '../people/export-person.ts'
import { activityCalls } from './activity-calls.ts'
import { administratorOf } from './administrator-of.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { invoiceCalls } from './invoice-calls.ts'
import { lifetimeCalls } from './lifetime-calls.ts'
import { logShareCalls } from './log-share-calls.ts'
import { modificationCalls } from './modification-calls.ts'
import { packageCalls } from './package-calls.ts'
import { balanceOf, cancelOwnTopUp, checkOwnTopUp, order, quote, topUp } from './money-calls.ts'
import { noticeCalls } from './notice-calls.ts'
import { portCalls } from './port-calls.ts'
import { prizeCalls } from './prize-calls.ts'
import { serverSettingsCalls } from './server-settings-calls.ts'
import { startupCalls } from './startup-calls.ts'
import { serverLayoutCalls } from './server-layout-calls.ts'
import { staffDocumentCalls } from './staff-document-calls.ts'
import { staffMoneyCalls } from './staff-money-calls.ts'
import { staffPaymentCalls } from './staff-payment-calls.ts'
import { contractCalls } from './contract-calls.ts'
import { serverRefundCalls } from './server-refund-calls.ts'
import { renewalCalls } from './renewal-calls.ts'
import { sharingCalls } from './sharing-calls.ts'
import { forgetRemovedVotings } from '../votings/votings.ts'
import { summaryCalls } from './summary-calls.ts'
import { ticketAttachmentCalls } from './ticket-attachment-calls.ts'
import { ticketCalls } from './ticket-calls.ts'
import { ticketStaffCalls } from './ticket-staff-calls.ts'
import { votingCalls } from './voting-calls.ts'
import { seenServer } from './seeing-as.ts'
import { listServers } from '../servers/store/read-servers.ts'
import { listServices } from '../money/orders/read-services.ts'

type PersonCall = 'departure' | 'export-person' | 'erase-person'

/** Calls of the site for the data export and the deletion of an account. */
const personCalls = ({ context }: ApiDeps): Pick<InternalCalls, PersonCall> => ({
  departure: async ({ caller }) => {
    const { heldFt: _, ...figures } = await readDeparture(context.db, context, caller.userId)
    return figures
  },
  'export-person': async ({ caller, email, table, offset }) => {
    const page = await exportPage(context.db, { person: { userId: caller.userId, email }, table, offset })
    if (!page) throw new ApiRefusal('NOT_FOUND')
    return page
  },
  'erase-person': async (input, { requestId }) => {
    const answer = await erasePerson(context, { ...input, requestId })
    if (!answer.ok) throw new ApiRefusal(answer.code)
    return {}
  },
})

/** Calls of the pages about one server, and of the list of servers. */
const serverPageCalls = (deps: ApiDeps) => ({
  ...serverSettingsCalls(deps),
  ...startupCalls(deps),
  ...logShareCalls(deps),
  ...serverLayoutCalls(deps),
  ...portCalls(deps),
})

/** One function for each call of the table; the compiler refuses a call without one. */
export function internalCalls(deps: ApiDeps): InternalCalls {
  const { context, mailSecret } = deps
  return {
    ...prizeCalls(deps),
    ...summaryCalls(deps),
    ...votingCalls(deps),
    balance: (input) => balanceOf(deps, input),
    transactions: ({ caller: { userId }, ...page }) => readStatement(context.db, { userId, ...page }),
    transaction: async ({ caller: { userId, locale }, transactionId }) => {
      const detail = await explainLine(context.db, { userId, locale, transactionId })
      if (!detail) throw new ApiRefusal('NOT_FOUND')
      return detail
    },
    ...invoiceCalls(deps),
    topup: (input, meta) => topUp(deps, input, meta),
    'topup-check': (input) => checkOwnTopUp(deps, input),
    'cancel-topup': (input) => cancelOwnTopUp(deps, input),
    ...staffPaymentCalls(deps),
    ...staffMoneyCalls(deps),
    ...serverPageCalls(deps),
    services: ({ locale }) => listServices(context, locale),
    quote: (input) => quote(deps, input),
    order: (input, meta) => order(deps, input, meta),
    servers: (input) => listServers(context, input),
    server: (input) => seenServer(context, input),
    ...sharingCalls(deps),
    ...renewalCalls(deps),
    ...modificationCalls(deps),
    ...packageCalls(deps),
    ...contractCalls(deps),
    ...serverRefundCalls(deps),
    ...staffDocumentCalls(deps),
    ...lifetimeCalls(deps),
    power: (input, meta) => deps.servers.requestPower(input, meta),
    'console-access': (input, meta) => deps.servers.consoleAccess(input, meta),
    'node-token': (input, meta) => deps.servers.nodeToken(input, meta),
    'archive-access': (input, meta) => deps.servers.archiveAccess(input, meta),
    ...ticketAttachmentCalls(deps),
    ...ticketCalls(deps),
    ...ticketStaffCalls(deps),
    ...noticeCalls(deps),
    ...activityCalls(deps),
    ...personCalls(deps),
    'session-ended': async (input) => {
      await deps.nudges.sessionEnded(input)
      return {}
    },
    'send-mail': async ({ order }, { requestId }) => {
      await context.db.transaction(async (tx) => {
        const isNew = await acceptMail(tx, { ...context, mailSecret }, { order, requestId })
        if (isNew && order.bell) await notifyUser(tx, context, { ...order.bell, data: {}, requestId })
      })
      return {}
    },
    nudge: async (input) => {
      if (input.topic === 'votings') await forgetRemovedVotings(context.db)
      await deps.nudges.nudge(input)
      return {}
    },
    'node-origins': () => deps.nodes.nodeOrigins(),
    'enrolment-token': async (input) => {
      administratorOf(input.caller)
      return deps.nodes.enrolmentToken(input)
    },
    'force-move': async (input, meta) => {
      administratorOf(input.caller)
      return deps.nodes.forceMove(input, meta)
    },
  }
}
