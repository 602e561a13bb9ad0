import type { ServerPorts } from '#contracts/http/panel/ports.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL, type Permission } from '#contracts/panel/permissions.ts'
import { refuseRemoval, typedAddress, withPrimary } from '#domain/servers/ports.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { accessOf, lockedAccess } from '../access/server-access.ts'
import { takeFurtherPort } from '../placement/take-ports.ts'
import { movePortLinks, readStartupState } from '../startup/startup-store.ts'
import { changeSpec, lockServer, type ServerRecord } from '../store/server-store.ts'
import { portFactsOf, readPortRows, type PortRow } from './port-rows.ts'
import { readPortLimits, shownPorts, variableNames } from './shown-ports.ts'

export type PortAsking = { readonly caller: Caller; readonly serverId: string }
type PortChange = PortAsking & { readonly requestId: string }

export type PortRefusal = {
  readonly ok: false
  readonly code:
    | 'NOT_FOUND'
    | 'FORBIDDEN'
    | 'SERVER_SUSPENDED'
    | 'SERVER_EXPIRED'
    | 'INVALID_STATE'
    | 'PORT_LIMIT'
    | 'NO_FREE_PORT'
    | 'PORT_IS_PRIMARY'
    | 'PORT_IN_USE'
    | 'PORT_IN_PROGRAM'
  readonly params?: Readonly<Record<string, string | number>>
}
type Answer = { readonly ok: true; readonly ports: ServerPorts } | PortRefusal

const refuse = (code: PortRefusal['code'], params?: PortRefusal['params']): PortRefusal =>
  params === undefined ? { ok: false, code } : { ok: false, code, params }

/** The ports of a server, for everybody who may see them. */
export async function listPorts(context: Context, { caller, serverId }: PortAsking): Promise<Answer> {
  const access = await accessOf(context.db, caller, serverId)
  if (!access) return refuse('NOT_FOUND')
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/ports']
  if (!access.permissions.includes(permission)) return refuse('FORBIDDEN', { permission })
  const ports = await shownPorts(context.db, access.server, { locale: caller.locale, nowMs: context.clock.now() })
  return { ok: true, ports }
}

type Open = { readonly server: ServerRecord; readonly rows: readonly PortRow[] }
/** The activity and its port, or null if it was so already. `asks` says whether the node needs the new specification. */
type Done = { readonly ok: true; readonly done: { type: string; port: PortRow; asks: boolean } | null } | PortRefusal

/** Runs a change on the server's locked row, and records it. Refuses it for callers without the permission, and while nothing may change. */
function changePorts(
  context: Context,
  { caller, serverId, requestId }: PortChange,
  { permission, run }: { permission: Permission; run: (tx: Sql, open: Open) => Promise<Done> },
): Promise<Answer> {
  return context.db.transaction(async (tx): Promise<Answer> => {
    const access = await lockedAccess(tx, caller, serverId)
    if (!access) return refuse('NOT_FOUND')
    if (!access.permissions.includes(permission)) return refuse('FORBIDDEN', { permission })
    const { server } = access
    if (server.deletedAtMs !== null || server.desired === 'deleted') return refuse('NOT_FOUND')
    const nowMs = context.clock.now()
    const readOnly = readOnlyReason(server, nowMs)
    if (readOnly !== null) return refuse(readOnly === 'suspended' ? 'SERVER_SUSPENDED' : 'SERVER_EXPIRED')
    if (!server.installed) return refuse('INVALID_STATE')
    const result = await run(tx, { server, rows: await readPortRows(tx, serverId) })
    if (!result.ok) return result
    if (result.done !== null) {
      const { type, port, asks } = result.done
      const { userId, address, way } = caller
      const detail = { text: typedAddress(port.ip, port.port) }
      await recordActivity(tx, context, { userId, serverId, address, way, type, status: 'success', detail })
      if (asks) await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
    }
    // Read again: the change has raised the generation.
    const changed = (await lockServer(tx, serverId)) ?? server
    return { ok: true, ports: await shownPorts(tx, changed, { locale: caller.locale, nowMs }) }
  })
}

const ownPort = ({ rows }: Open, portId: string): PortRow | undefined =>
  rows.find(({ id, removedIn }) => id === portId && removedIn === null)

/**
 * Adds a port within the server's limit. A port that the server is leaving comes back first, so that nobody exhausts a node by
 * adding and removing ports while the program keeps running.
 */
export const addPort = (context: Context, change: PortChange & { note: string }): Promise<Answer> =>
  changePorts(context, change, {
    permission: PERMISSION_OF_CALL['POST /api/server/{id}/ports'],
    run: async (tx, { server, rows }) => {
      const { port_limit: limit } = await readPortLimits(tx, server.id)
      if (rows.filter(({ removedIn }) => removedIn === null).length >= limit) return refuse('PORT_LIMIT', { limit })
      const returning = rows.find(({ removedIn }) => removedIn !== null)
      const { id: serverId, nodeId, spec } = server
      const taken = returning ?? (await takeFurtherPort(tx, context.ids, { nodeId, serverId }))
      if (taken === undefined) return refuse('NO_FREE_PORT')
      const { ip, port } = taken
      const generation = await changeSpec(tx, serverId, {
        allocations: [...spec.allocations, { ip, port, primary: false }],
      })
      // A port that returns keeps the generation in which it came: the running program may have it.
      await tx.query(
        `update control.allocations set note = $3, added_in = case when removed_in is null then $4 else added_in end, removed_in = null
         where server_id = $1 and port = $2`,
        [serverId, port, change.note, generation],
      )
      const row = (await readPortRows(tx, serverId)).find((each) => each.port === port)
      if (row === undefined) throw new Error(`port ${port} of server ${serverId} is missing`)
      return { ok: true, done: { type: 'server:allocation.create', port: row, asks: true } }
    },
  })

/** Changes the note of a port. */
export const notePort = (context: Context, change: PortChange & { portId: string; note: string }): Promise<Answer> =>
  changePorts(context, change, {
    permission: PERMISSION_OF_CALL['PATCH /api/server/{id}/ports/{portId}'],
    run: async (tx, open) => {
      const port = ownPort(open, change.portId)
      if (port === undefined) return refuse('NOT_FOUND')
      if (port.note === change.note) return { ok: true, done: null }
      await tx.query('update control.allocations set note = $2 where id = $1', [port.id, change.note])
      return { ok: true, done: { type: 'server:allocation.notes', port, asks: false } }
    },
  })

/** Removes a port that nothing names. It stays the server's until no program of it can use the port any more. */
export const removePort = (context: Context, change: PortChange & { portId: string }): Promise<Answer> =>
  changePorts(context, change, {
    permission: PERMISSION_OF_CALL['DELETE /api/server/{id}/ports/{portId}'],
    run: async (tx, open) => {
      const { server, rows } = open
      const port = ownPort(open, change.portId)
      const isLeaving = rows.some(({ id }) => id === change.portId)
      if (port === undefined) return isLeaving ? { ok: true, done: null } : refuse('NOT_FOUND')
      const { portLinks } = await readStartupState(tx, server.id)
      const refusal = refuseRemoval(portFactsOf(server, portLinks), port.port)
      if (refusal?.code === 'PORT_IN_USE') {
        const nameOf = await variableNames(tx, server, change.caller.locale)
        return refuse('PORT_IN_USE', { variable: nameOf(refusal.variable) })
      }
      if (refusal !== null) return refuse(refusal.code)
      const allocations = server.spec.allocations.filter((each) => each.port !== port.port)
      const generation = await changeSpec(tx, server.id, { allocations })
      await tx.query('update control.allocations set removed_in = $2 where id = $1', [port.id, generation])
      return { ok: true, done: { type: 'server:allocation.delete', port, asks: true } }
    },
  })

/** Makes another port the primary one. Variables that name either of the two follow. */
export const makePortPrimary = (context: Context, change: PortChange & { portId: string }): Promise<Answer> =>
  changePorts(context, change, {
    permission: PERMISSION_OF_CALL['POST /api/server/{id}/ports/{portId}/primary'],
    run: async (tx, open) => {
      const { server } = open
      const port = ownPort(open, change.portId)
      const specified = port && withPrimary(server.spec, port.port)
      if (!port || !specified) return refuse('NOT_FOUND')
      if (port.isPrimary) return { ok: true, done: null }
      // Links name ports by their numbers, and the two have changed places.
      await movePortLinks(tx, server.id, { before: server.spec.allocations, after: specified.allocations })
      const generation = await changeSpec(tx, server.id, specified)
      await tx.query('update control.allocations set is_primary = id = $2 where server_id = $1', [server.id, port.id])
      await tx.query('update control.servers set primary_set_in = $2 where id = $1', [server.id, generation])
      return { ok: true, done: { type: 'server:allocation.primary', port, asks: true } }
    },
  })
