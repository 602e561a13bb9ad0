import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { systemIds } from '#platform/ids.ts'
import { freeRemovedPorts } from '../../control-plane/servers/ports/free-removed.ts'
import { addServer, type FleetNode, type ServerOptions } from './fleet.ts'
import { testContext, type PlatformDatabase } from './platform-database.ts'

/** Somebody who asks about the ports of a server, from a browser. */
export const as = (userId: string, isAdmin = false) => {
  const flags = { isAdmin, isSupport: false, isVerified: true }
  return { userId, sessionId: null, ...flags, locale: 'en', address: '192.0.2.9', way: 'panel' } as const
}

export type PortedServer = {
  readonly id: string
  readonly ownerId: string
  /** The owner's request. */
  readonly ask: { readonly caller: ReturnType<typeof as>; readonly serverId: string; readonly requestId: string }
}

/** Servers with ports on one node at a time, and what the database knows of them. */
export const portedServers = ({ owner, db }: Pick<PlatformDatabase, 'owner' | 'db'>, node: () => FleetNode) => {
  const deps = (nowMs = Date.now()) => testContext(db, { clock: { now: () => nowMs } })

  /** A stopped server with a port of its own, as an order leaves it. */
  const newServer = async (port: number, options: ServerOptions = {}): Promise<PortedServer> => {
    const allocations: ServerSpec['allocations'] = [{ ip: '127.0.0.1', port, primary: true }]
    const made = await addServer(owner, node().nodeId, {
      installed: true,
      state: 'offline',
      power: 'stopped',
      ...options,
      spec: { allocations, ...options.spec },
    })
    for (const each of options.spec?.allocations ?? allocations) {
      await owner.query(
        'insert into control.allocations (id, node_id, server_id, ip, port, is_primary) values ($1, $2, $3, $4, $5, $6)',
        [systemIds.next(), node().nodeId, made.id, each.ip, each.port, each.primary],
      )
    }
    return { ...made, ask: { caller: as(made.ownerId), serverId: made.id, requestId: 'req-1' } }
  }

  const rowsOf = (serverId: string) =>
    owner.query<{ port: number; is_primary: boolean; note: string; removed_in: number | null }>(
      'select port, is_primary, note, removed_in from control.allocations where server_id = $1 order by port',
      [serverId],
    )
  const portsOf = async (serverId: string) => (await rowsOf(serverId)).map(({ port }) => port)
  const specOf = async (serverId: string) => {
    const [row] = await owner.query<{ spec: ServerSpec; generation: number }>(
      'select spec, generation from control.servers where id = $1',
      [serverId],
    )
    return { ports: row?.spec.allocations.map(({ port }) => port), generation: row?.generation, spec: row?.spec }
  }
  const idOf = async (serverId: string, port: number) =>
    (
      await owner.query<{ id: string }>('select id from control.allocations where server_id = $1 and port = $2', [
        serverId,
        port,
      ])
    )[0]?.id ?? ''
  const activities = (serverId: string) =>
    owner.query<{ type: string; detail: object; ip_address: string; way: string; user_id: string }>(
      'select type, detail, ip_address, way, user_id from control.activities where server_id = $1 order by id',
      [serverId],
    )
  const observed = (serverId: string, state: string, generation: number, running: number | null) =>
    owner
      .query(
        'update control.server_state set state = $2, observed_generation = $3, running_generation = $4 where server_id = $1',
        [serverId, state, generation, running],
      )
      .then(() => freeRemovedPorts(db, serverId))
  return { deps, newServer, rowsOf, portsOf, specOf, idOf, activities, observed }
}
