import type { AgentEvent } from '#contracts/agent/session.ts'
import type { Context } from '../../platform/context.ts'
import { observeEvent, type ObserveDeps, type Touched } from '../provisioning/observe.ts'

/** An event that this control plane cannot store: from a newer agent, or with values that the database refuses. */
export type UnreadableEvent = { readonly kind: 'unreadable'; readonly seq: number; readonly problem: string }

export type StoredEvent =
  | { readonly kind: 'stored'; readonly touched: Touched }
  /** It was stored before: only the acknowledgement is repeated (SPEC.md A7). */
  | { readonly kind: 'repeated'; readonly acknowledgedSeq: number }
  /** Another session holds this node's lease now. */
  | { readonly kind: 'superseded' }

/**
 * Stores an event exactly once: its effects and the new event number are one transaction on the node's locked row, and
 * only the session that holds the node's lease may write. SPEC.md A6, A7.
 */
export function storeEvent(
  deps: Context & ObserveDeps,
  from: { nodeId: string; sessionId: string; event: AgentEvent | UnreadableEvent },
): Promise<StoredEvent> {
  const { nodeId, sessionId, event } = from
  return deps.db.transaction(async (tx): Promise<StoredEvent> => {
    const [node] = await tx.query<{ acknowledged_seq: bigint; session_id: string | null }>(
      `select n.acknowledged_seq, a.session_id from control.nodes n
       left join control.agent_sessions a on a.node_id = n.id where n.id = $1 for no key update of n`,
      [nodeId],
    )
    if (!node || node.session_id !== sessionId) return { kind: 'superseded' }
    const acknowledgedSeq = Number(node.acknowledged_seq)
    if (event.seq <= acknowledgedSeq) return { kind: 'repeated', acknowledgedSeq }
    if (event.seq > acknowledgedSeq + 1) {
      deps.metrics.agentAlarms.inc({ kind: 'event-gap' })
      deps.log.error({ nodeId, seq: event.seq, acknowledgedSeq }, 'events of a node are missing')
    }
    const touched = event.kind === 'unreadable' ? [] : await observeEvent(tx, deps, { nodeId, event })
    if (event.kind === 'unreadable') {
      deps.metrics.agentAlarms.inc({ kind: 'event-unreadable' })
      deps.log.error({ nodeId, seq: event.seq, problem: event.problem }, 'an event of a node is left out')
    }
    await deps.faults('hub.before-acknowledged')
    await tx.query('update control.nodes set acknowledged_seq = $2, last_seen_at = $3 where id = $1', [
      nodeId,
      event.seq,
      new Date(deps.clock.now()),
    ])
    deps.metrics.agentEvents.inc({ kind: event.kind })
    return { kind: 'stored', touched }
  })
}
