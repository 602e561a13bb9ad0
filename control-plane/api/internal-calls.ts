import type { InternalCallName, InternalInput, InternalOutput } from '#contracts/internal-api/calls.ts'
import { readStatement } from '../billing/statement.ts'
import type { ApiDeps, CallMeta } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { balanceOf, order, quote, topUp } from './money-calls.ts'
import { markNotificationsRead } from './mark-notices.ts'
import { listActivities, listNotifications } from './read-notices.ts'
import { findServer, listServers } from './read-servers.ts'
import { listServices } from './read-services.ts'

export type InternalCalls = {
  readonly [Name in InternalCallName]: (input: InternalInput<Name>, meta: CallMeta) => Promise<InternalOutput<Name>>
}

/** One function for each call of the table; the compiler refuses a call without one. */
export function internalCalls(deps: ApiDeps): InternalCalls {
  const { context } = deps
  return {
    account: async ({ caller }) => ({
      balance: (await balanceOf(deps, { caller })).balanceFt,
      premium: 'none',
      premiumExpiry: null,
      spinCount: 0,
    }),
    balance: (input) => balanceOf(deps, input),
    transactions: ({ caller, limit, before }) => readStatement(context.db, { userId: caller.userId, limit, before }),
    topup: (input, meta) => topUp(deps, input, meta),
    services: ({ locale }) => listServices(context, locale),
    quote: (input) => quote(deps, input),
    order: (input, meta) => order(deps, input, meta),
    servers: (input) => listServers(context, input),
    server: async (input) => {
      const server = await findServer(context, input)
      if (!server) throw new ApiRefusal('NOT_FOUND')
      return server
    },
    power: (input, meta) => deps.servers.requestPower(input, meta),
    'console-access': (input, meta) => deps.servers.consoleAccess(input, meta),
    notifications: ({ caller, ...page }) => listNotifications(context.db, { userId: caller.userId, ...page }),
    'read-notifications': async ({ caller, upTo }, { requestId }) => {
      await markNotificationsRead(context, { userId: caller.userId, upTo, requestId })
      return {}
    },
    activities: ({ caller, ...page }) => listActivities(context.db, { userId: caller.userId, ...page }),
    'session-ended': async (input) => {
      await deps.nudges.sessionEnded(input)
      return {}
    },
    nudge: async (input) => {
      await deps.nudges.nudge(input)
      return {}
    },
    'node-origins': () => deps.nodes.nodeOrigins(),
    'enrolment-token': async (input) => {
      if (!input.caller.isAdmin) throw new ApiRefusal('FORBIDDEN')
      return deps.nodes.enrolmentToken(input)
    },
    'force-move': async (input, meta) => {
      if (!input.caller.isAdmin) throw new ApiRefusal('FORBIDDEN')
      return deps.nodes.forceMove(input, meta)
    },
  }
}
