import type { Caller } from '#contracts/internal-api/calls.ts'
import { renumbered } from '#domain/servers/ports.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { placeOnNode, type ChosenNode } from '../placement/place-on-node.ts'
import { takePorts } from '../placement/take-ports.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { supersedeOpenCommands } from '../store/command-store.ts'
import { findNode, isReachable } from '../store/node-store.ts'
import { movePortLinks } from '../startup/startup-store.ts'
import { changeSpec, lockServer, type ServerRecord } from '../store/server-store.ts'
import { announceStatus } from './announce.ts'

export type ForceMove = {
  readonly caller: Pick<Caller, 'userId' | 'address' | 'way'>
  readonly serverId: string
  /** The new computer of the server. */
  readonly computerId: string
  /** The reason, in the words of the administrator. */
  readonly reason: string
  readonly requestId: string
}
export type ForceMoveRefusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'INVALID_STATE' | 'NO_CAPACITY' | 'NO_FREE_PORT'
}

const refuse = (code: ForceMoveRefusal['code']): ForceMoveRefusal => ({ ok: false, code })

/**
 * Moves a server from a lost node to another one, where it is reinstalled: its files stay on the lost node. Refused
 * with INVALID_STATE while its node responds, because then no force is needed. The generation rises, so that the copy
 * on the lost node is ended as soon as that node is back (SPEC.md A15); until then its state is unknown, which is why a
 * person decides and gives a reason.
 */
export function forceMove(
  deps: Context,
  request: ForceMove,
): Promise<{ ok: true; nodeId: string; generation: number } | ForceMoveRefusal> {
  return deps.db.transaction(async (tx) => {
    const server = await lockServer(tx, request.serverId)
    if (!server || server.deletedAtMs !== null) return refuse('NOT_FOUND')
    const from = await findNode(tx, server.nodeId)
    if (!from) return refuse('NOT_FOUND')
    const isForced = !(await isReachable(tx, server.nodeId, deps.clock.now()))
    if (!isForced || server.desired === 'deleted' || from.computerId === request.computerId) {
      return refuse('INVALID_STATE')
    }
    const node = await placeOnNode(tx, deps.clock, {
      computerIds: [request.computerId],
      ports: server.spec.allocations.length,
      limits: { memoryMiB: server.memoryMiB, storageMiB: server.storageMiB },
      // A specification is specific to the runtime of a node.
      canRunOn: (runtime) => runtime === from.runtime,
    })
    if (!node.ok) return refuse(node.code === 'NO_FREE_PORT' ? 'NO_FREE_PORT' : 'NO_CAPACITY')
    const generation = await moveTo(tx, deps, { server, node })
    await record(tx, deps, { server, node, request })
    deps.log.warn({ serverId: server.id, from: from.id, to: node.nodeId, generation }, 'a server was moved by force')
    return { ok: true, nodeId: node.nodeId, generation }
  })
}

async function moveTo(
  tx: Sql,
  deps: Context,
  { server, node }: { server: ServerRecord; node: ChosenNode },
): Promise<number> {
  const now = new Date(deps.clock.now())
  // When the lost node returns it must not carry out older commands for the server.
  await supersedeOpenCommands(tx, server.id, now.getTime())
  await tx.query('update control.allocations set server_id = null, is_primary = false where server_id = $1', [
    server.id,
  ])
  const { allocations: before, environment } = server.spec
  const allocations = await takePorts(tx, deps.ids, { node, serverId: server.id, count: before.length })
  // The first port is the primary one by now, so it takes the place of the earlier primary.
  const ordered = before.toSorted((one, other) => Number(other.primary) - Number(one.primary))
  const renumbering = new Map(ordered.map(({ port }, place) => [port, allocations[place]?.port ?? port]))
  await tx.query('update control.servers set node_id = $2 where id = $1', [server.id, node.nodeId])
  await movePortLinks(tx, server.id, { before: server.spec.allocations, after: allocations })
  await tx.query(
    `update control.server_state set state = 'creating', installed = false, observed_generation = 0, exit_code = null,
       exit_signal = null, exit_oom = false, since = $2, updated_at = $2 where server_id = $1`,
    [server.id, now],
  )
  return changeSpec(tx, server.id, { allocations, environment: renumbered(environment, renumbering) })
}

/** Logs the administrator and the reason, and notifies the owner, without the administrator's address. */
async function record(
  tx: Sql,
  deps: Context,
  { server, node, request }: { server: ServerRecord; node: ChosenNode; request: ForceMove },
): Promise<void> {
  const { caller, reason, requestId } = request
  const type = 'server:moved-by-force'
  const detail = { reason, from: server.nodeId, to: node.nodeId }
  const rest = { serverId: server.id, type, status: 'success' as const }
  const { userId, address, way } = caller
  await recordActivity(tx, deps, { ...rest, userId, address, way, detail })
  const { ownerId, suspended } = server
  if (ownerId !== userId)
    await recordActivity(tx, deps, { ...rest, userId: ownerId, doneBy: 'staff', detail: { reason } })
  const data = { sid: server.id, name: server.name, reason }
  await notifyUser(tx, deps, { userId: ownerId, text: 'server.moved', data, requestId })
  await announceStatus(tx, deps, {
    serverId: server.id,
    before: { state: server.state, suspended, nodeReachable: false },
    after: { state: 'creating', suspended, nodeReachable: true },
    requestId,
  })
}
