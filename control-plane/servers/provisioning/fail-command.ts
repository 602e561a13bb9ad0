import type { Context } from '../../platform/context.ts'
import type { UnreadableCommand } from '../store/command-store.ts'
import { observeEvent, type ObserveDeps, type Touched } from './observe.ts'

/**
 * Ends a command that cannot be sent, as if its node had refused it: an order whose template is wrong is given back, and
 * the commands of the node's other servers go on.
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
