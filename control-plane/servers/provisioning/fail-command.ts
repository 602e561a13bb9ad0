import type { Context } from '../../platform/context.ts'
import type { UnreadableCommand } from '../store/command-store.ts'
import { observeEvent, type ObserveDeps, type Touched } from './observe.ts'

/**
 * Ends a command that cannot be sent, as if its node had refused it: an order with a faulty template is refunded, and
 * commands of the node's other servers continue.
 */
export const failCommand = (
  deps: Context & ObserveDeps,
  { nodeId, command }: { nodeId: string; command: UnreadableCommand },
): Promise<Touched> => {
  const { id: commandId, serverId, problem } = command
  const answer = { ok: false, code: 'INVALID_COMMAND', detail: problem.slice(0, 2_000) }
  const event = { kind: 'command.finished', seq: 1, atMs: deps.clock.now(), commandId, serverId, ...answer } as const
  return deps.db.transaction((tx) => observeEvent(tx, deps, { nodeId, event }))
}
