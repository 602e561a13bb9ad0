import type { ReinstallRequest } from '#contracts/http/panel/reinstall.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { reinstallRefusal, type ReinstallRefusalCode } from '#domain/servers/reinstall.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import { lockedAccess } from '../access/server-access.ts'
import { insertCommand, openCommands } from '../store/command-store.ts'
import { isCapable, isReachable } from '../store/node-store.ts'
import { setDesiredPower, specFor, type ServerRecord } from '../store/server-store.ts'

export type ReinstallRefusal = {
  readonly ok: false
  readonly code: ReinstallRefusalCode | 'NOT_FOUND' | 'FORBIDDEN' | 'NODE_UNREACHABLE' | 'NODE_OUTDATED' | 'OTHER_NAME'
  readonly permission?: string
}
type Request = {
  readonly caller: Caller
  readonly serverId: string
  readonly requestId: string
  readonly request: ReinstallRequest
}

const refuse = (code: ReinstallRefusal['code']): ReinstallRefusal => ({ ok: false, code })

/**
 * Orders the node to stop a server and to install it again from the specification that it has: the programs that it was
 * ordered with. It stays stopped afterwards. Command and activity are written in one transaction; the command is
 * delivered until its node has finished it.
 */
export function reinstallServer(context: Context, asked: Request): Promise<{ readonly ok: true } | ReinstallRefusal> {
  return context.db.transaction(async (tx) => {
    const access = await lockedAccess(tx, asked.caller, asked.serverId)
    if (!access) return refuse('NOT_FOUND')
    const permission = PERMISSION_OF_CALL['POST /api/server/{id}/reinstall']
    if (!access.permissions.includes(permission)) return { ...refuse('FORBIDDEN'), permission }
    const { server } = access
    const nowMs = context.clock.now()
    const refusal = reinstallRefusal({
      state: server.state,
      installed: server.installed,
      deleting: server.desired === 'deleted',
      suspended: server.suspended,
      expired: server.expiresAtMs <= nowMs,
      openCommands: await openCommands(tx, [server.id]),
    })
    if (refusal) return refuse(refusal)
    if (asked.request.name !== server.name) return refuse('OTHER_NAME')
    if (!(await isReachable(tx, server.nodeId, nowMs))) return refuse('NODE_UNREACHABLE')
    // An agent that does not know the wish would keep the files, while the activity says that they are gone.
    const isWipe = asked.request.files === 'wipe'
    if (isWipe && !(await isCapable(tx, server.nodeId, 'reinstall.wipe'))) return refuse('NODE_OUTDATED')
    await order(tx, context, { server, asked, nowMs })
    return { ok: true }
  })
}

async function order(
  tx: Sql,
  context: Context,
  { server, asked, nowMs }: { server: ServerRecord; asked: Request; nowMs: number },
): Promise<void> {
  const { caller, requestId, request } = asked
  const { id: serverId, nodeId, generation } = server
  const command = {
    id: context.ids.next(),
    serverId,
    generation,
    requestId: requestId.slice(0, 64),
    kind: 'reinstall',
    spec: specFor(server),
    wipe: request.files === 'wipe',
  } as const
  await setDesiredPower(tx, serverId, 'stopped')
  await insertCommand(tx, { nodeId, command, requestedBy: caller.userId }, nowMs)
  const { userId, address, way } = caller
  const type = `server:reinstall.${request.files}`
  await recordActivity(tx, context, { userId, serverId, address, way, type, status: 'success' })
  await context.faults('reinstall.after-command-row')
  await enqueue(tx, context, { topic: 'commands-waiting', payload: { nodeId }, requestId })
}
