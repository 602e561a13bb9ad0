import type { PortCheck } from '#contracts/http/panel/ports.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { isSameAddress } from '#platform/address-key.ts'
import type { Context } from '../../platform/context.ts'
import type { PortProbe } from '../../platform/port-probe.ts'
import { accessOf } from '../access/server-access.ts'
import type { PortAsking, PortRefusal } from './change-ports.ts'

export type CheckRefusal = Pick<PortRefusal, 'ok' | 'params'> & {
  readonly code: 'NOT_FOUND' | 'FORBIDDEN' | 'INVALID_STATE' | 'BUSY'
}

/**
 * Connects to a port of a server, at its node's own address and at no other: where staff have given the computer another address since,
 * the old one may be somebody else's by now.
 */
export async function checkPort(
  context: Context & { readonly probe: PortProbe },
  { caller, serverId, portId }: PortAsking & { portId: string },
): Promise<{ readonly ok: true; readonly check: PortCheck } | CheckRefusal> {
  const access = await accessOf(context.db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const permission = PERMISSION_OF_CALL['POST /api/server/{id}/ports/{portId}/check']
  if (!access.permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', params: { permission } }
  const [target] = await context.db.query<{ ip: string; port: number; nodes_ip: string }>(
    `select host(a.ip) as ip, a.port, c.ip as nodes_ip from control.allocations a
       join control.nodes n on n.id = a.node_id join cms_api.computers c on c.id = n.computer_id
     where a.id = $1 and a.server_id = $2 and a.node_id = $3 and a.removed_in is null`,
    [portId, serverId, access.server.nodeId],
  )
  if (!target) return { ok: false, code: 'NOT_FOUND' }
  const { ip, port } = target
  if (!isSameAddress(ip, target.nodes_ip)) return { ok: false, code: 'INVALID_STATE' }
  const tcp = await context.probe({ ip, port })
  if (tcp === 'busy') return { ok: false, code: 'BUSY' }
  return { ok: true, check: { tcp, checkedAt: new Date(context.clock.now()).toISOString() } }
}
