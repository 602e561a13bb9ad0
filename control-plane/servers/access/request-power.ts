import type { PowerAction } from '#contracts/http/server.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { powerRefusal, type PowerRefusalCode } from '#domain/servers/power.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readSettings } from '../../cms/cms-reader.ts'
import { insertCommand, openCommands } from '../store/command-store.ts'
import { isReachable } from '../store/node-store.ts'
import { lockServer, setDesiredPower, specFor, type ServerRecord } from '../store/server-store.ts'
import { accessOf } from './server-access.ts'

export type PowerRequest = {
  readonly caller: Pick<Caller, 'userId' | 'isAdmin' | 'address' | 'way'>
  readonly serverId: string
  readonly action: PowerAction
  /** Id of the request: a repetition with the same id is the same request. */
  readonly powerRequestId?: string | undefined
  /** The id of the request in the logs. */
  readonly requestId: string
}
export type PowerRefusal = {
  readonly ok: false
  readonly code: PowerRefusalCode | 'NOT_FOUND' | 'FORBIDDEN' | 'NODE_UNREACHABLE' | 'CONFLICT'
  readonly permission?: string
}

const refuse = (code: PowerRefusal['code'], permission?: string): PowerRefusal =>
  permission ? { ok: false, code, permission } : { ok: false, code }

/**
 * Orders the node to start, stop, restart or kill a server, or refuses with the reason. The desired power state and the
 * command are written in one transaction.
 */
export function requestPower(
  deps: Context,
  request: PowerRequest,
): Promise<{ ok: true; commandId: string } | PowerRefusal> {
  return deps.db.transaction(async (tx) => {
    const access = await accessOf(tx, request.caller, request.serverId)
    if (!access) return refuse('NOT_FOUND')
    const permission = PERMISSION_OF_CALL['POST /api/server/{id}/power'][request.action]
    if (!access.permissions.includes(permission)) return refuse('FORBIDDEN', permission)
    const server = await lockServer(tx, request.serverId)
    if (!server || server.deletedAtMs !== null) return refuse('NOT_FOUND')
    const repeated = await repeatedCommand(tx, request)
    if (repeated) return repeated
    const nowMs = deps.clock.now()
    const commands = await openCommands(tx, [server.id])
    const refusal = powerRefusal({
      action: request.action,
      state: server.state,
      installed: server.installed,
      deleting: server.desired === 'deleted',
      suspended: server.suspended,
      expired: server.expiresAtMs <= nowMs,
      startingAllowed: access.isStaff || (await readSettings(tx)).server_start,
      openCommands: commands.map(({ kind, action }) => ({ kind, action })),
    })
    if (refusal) return refuse(refusal)
    if (!(await isReachable(tx, server.nodeId, nowMs))) return refuse('NODE_UNREACHABLE')
    return { ok: true, commandId: await writeCommand(tx, { server, request, nowMs }, deps) }
  })
}

async function repeatedCommand(
  tx: Sql,
  request: PowerRequest,
): Promise<{ ok: true; commandId: string } | PowerRefusal | undefined> {
  if (!request.powerRequestId) return undefined
  const [row] = await tx.query<{ server_id: string; action: string | null }>(
    `select server_id, body ->> 'action' as action from control.commands where id = $1`,
    [request.powerRequestId],
  )
  if (!row) return undefined
  const same = row.server_id === request.serverId && row.action === request.action
  return same ? { ok: true, commandId: request.powerRequestId } : refuse('CONFLICT')
}

async function writeCommand(
  tx: Sql,
  { server, request, nowMs }: { server: ServerRecord; request: PowerRequest; nowMs: number },
  deps: Context,
): Promise<string> {
  const { action, caller, requestId } = request
  const id = request.powerRequestId ?? deps.ids.next()
  const { generation } = server
  const command = {
    id,
    serverId: server.id,
    generation,
    requestId: requestId.slice(0, 64),
    kind: 'power',
    action,
    spec: specFor(server),
  } as const
  await setDesiredPower(tx, server.id, action === 'start' || action === 'restart' ? 'running' : 'stopped')
  await insertCommand(tx, { nodeId: server.nodeId, command, requestedBy: caller.userId }, nowMs)
  await tx.query(
    `insert into control.activities (id, user_id, server_id, ip_address, type, status, created_at, way)
     values ($1, $2, $3, $4, $5, 'success', $6, $7)`,
    [
      deps.ids.next(),
      caller.userId,
      server.id,
      caller.address,
      `server.${action}`,
      new Date(nowMs),
      caller.way ?? null,
    ],
  )
  await deps.faults('power.after-command-row')
  await enqueue(tx, deps, { topic: 'commands-waiting', payload: { nodeId: server.nodeId }, requestId })
  return id
}
