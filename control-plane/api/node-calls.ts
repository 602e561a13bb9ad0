import type { ApiDeps, NodeCalls, NudgeCalls, ServerCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { endSessions } from '../servers/access/end-sessions.ts'
import type { Context } from '../platform/context.ts'
import type { EventBus } from '../platform/event-bus.ts'
import { forceMove } from '../servers/provisioning/force-move.ts'
import { readComputers } from '../cms/cms-reader.ts'
import type { ConsoleKey } from '../servers/access/console-keys.ts'
import { archiveToken } from '../servers/access/archive-token.ts'
import { consoleToken } from '../servers/access/console-token.ts'
import { filesToken } from '../servers/access/files-token.ts'
import { readConsoleTail } from '../servers/nodes/console-tail.ts'
import { createEnrolmentToken } from '../servers/nodes/enrol-node.ts'
import { requestPower } from '../servers/access/request-power.ts'

type CallDeps = { context: Context; bus: EventBus; consoleKey: ConsoleKey; gatewayUrl: string }

function serverCalls({ context, consoleKey }: CallDeps): ServerCalls {
  return {
    requestPower: async ({ caller, serverId, action, requestId }, meta) => {
      const request = { caller, serverId, action, powerRequestId: requestId, requestId: meta.requestId }
      const answer = await requestPower(context, request)
      if (answer.ok) return { accepted: true, commandId: answer.commandId }
      throw new ApiRefusal(answer.code, answer.permission ? { params: { permission: answer.permission } } : {})
    },
    consoleAccess: async ({ caller, serverId }) => {
      const answer = await consoleToken({ ...context, consoleKey }, { caller, serverId })
      if (answer.ok) return answer.value
      throw new ApiRefusal(answer.code, answer.permission ? { params: { permission: answer.permission } } : {})
    },
    nodeToken: async (input) => {
      const answer = await filesToken({ ...context, consoleKey }, input)
      if (answer.ok) return answer.value
      throw new ApiRefusal(answer.code, answer.permission ? { params: { permission: answer.permission } } : {})
    },
    archiveAccess: async ({ caller, serverId }) => {
      const answer = await archiveToken({ ...context, consoleKey }, { caller, serverId })
      if (answer.ok) return answer.value
      throw new ApiRefusal(answer.code === 'SERVER_DELETED' ? 'NOT_FOUND' : answer.code)
    },
  }
}

function nodeCalls({ context, bus, gatewayUrl }: CallDeps): NodeCalls {
  return {
    nodeOrigins: async () => {
      const urls = (await readComputers(context.db)).map((computer) => computer.url)
      const origins = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)
      return { origins: [...new Set(origins)].sort(), gateway: gatewayUrl }
    },
    consoleTail: (server) => readConsoleTail({ ...context, bus }, server),
    enrolmentToken: async ({ computerId }) => {
      const answer = await createEnrolmentToken(context, computerId)
      if (!answer.ok) throw new ApiRefusal(answer.code)
      return { token: answer.token, expiresAt: new Date(answer.expiresAtMs).toISOString() }
    },
    forceMove: async (input, meta) => {
      const answer = await forceMove(context, { ...input, requestId: meta.requestId })
      if (!answer.ok) throw new ApiRefusal(answer.code)
      // The other node learns of it in the next round of the reconcile loop.
      await bus.publish({ topic: 'nudge', data: { topic: 'computers', id: input.computerId } })
      return { nodeId: answer.nodeId, generation: answer.generation }
    },
  }
}

function nudgeCalls({ context, bus }: CallDeps): NudgeCalls {
  return {
    sessionEnded: (ended) => endSessions({ ...context, bus }, ended),
    nudge: ({ topic, id }) => bus.publish({ topic: 'nudge', data: { topic, id } }),
  }
}

/** Calls that reach nodes, servers and the gateway. */
export function nodeSideCalls(deps: CallDeps): Pick<ApiDeps, 'servers' | 'nodes' | 'nudges'> {
  return { servers: serverCalls(deps), nodes: nodeCalls(deps), nudges: nudgeCalls(deps) }
}
