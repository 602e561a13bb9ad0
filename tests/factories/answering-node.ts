import { createMetrics } from '../../control-plane/platform/metrics.ts'
import { reconcileServer } from '../../control-plane/servers/provisioning/apply-plan.ts'
import { observeEvent } from '../../control-plane/servers/provisioning/observe.ts'
import type { Plan } from '../../control-plane/servers/provisioning/plan.ts'
import type { ServerState } from '#domain/servers/server-lifecycle.ts'
import type { ControlDatabase } from './control-database.ts'
import { observing } from './observing.ts'
import { orderContext, type Shop } from './shop.ts'

/** A node's response to a command: that it is done, or the reason why not. */
export type NodeAnswer = 'done' | { readonly refusal: string }

/** A shop's node, played by hand: the reconciler sends the commands, and the responses are events. */
export function answeringNode(database: ControlDatabase, shop: Shop) {
  const metrics = createMetrics({ processMetrics: false })
  let seq = 0
  const depsAt = (nowMs: number) => observing({ ...orderContext(database.db, { now: () => nowMs }), metrics })
  const beatAt = (nowMs: number) =>
    database.owner.query('update control.agent_sessions set renewed_at = $1 where node_id = $2', [
      new Date(nowMs),
      shop.nodeId,
    ])

  /** One step of the reconciler while the node is connected. */
  const askedAt = async (serverId: string, nowMs: number): Promise<Plan> => {
    await beatAt(nowMs)
    return reconcileServer(serverId, 'r', depsAt(nowMs))
  }

  /** The node's response to the newest command of a server. */
  const says = async (serverId: string, nowMs: number, answer: NodeAnswer): Promise<void> => {
    const [command] = await database.owner.query<{ id: string }>(
      'select id from control.commands where server_id = $1 order by created_at desc, id desc limit 1',
      [serverId],
    )
    const code = answer === 'done' ? '' : answer.refusal
    const told = { ok: answer === 'done', code, detail: '', commandId: command?.id ?? '', serverId }
    const event = { kind: 'command.finished', seq: (seq += 1), atMs: nowMs, ...told } as const
    await database.db.transaction((tx) => observeEvent(tx, depsAt(nowMs), { nodeId: shop.nodeId, event }))
  }

  /** The node's report of a server, without any command. */
  const sees = (serverId: string, state: ServerState) =>
    database.owner.query('update control.server_state set state = $2 where server_id = $1', [serverId, state])

  return { askedAt, beatAt, depsAt, says, sees }
}
