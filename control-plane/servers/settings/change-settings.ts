import type { IdentityChange, OperationChange, ServerSettings } from '#contracts/http/panel/server-settings.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { assert } from '#domain/kernel/assert.ts'
import { changedParts, type Operation, type OperationPart } from '#domain/servers/operation.ts'
import { isAlive } from '#domain/servers/server-lifecycle.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import { lockedAccess } from '../access/server-access.ts'
import { announcePeople } from '../sharing/announce-people.ts'
import { changeSpec, findServer, setDesiredPower, type ServerRecord } from '../store/server-store.ts'
import { operationOf, shownSettings } from './server-settings.ts'

export type SettingsRefusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'FORBIDDEN' | 'SERVER_SUSPENDED' | 'SERVER_EXPIRED' | 'SETTINGS_CHANGED'
  readonly permission?: string
}
type Changed = { readonly ok: true; readonly settings: ServerSettings }
type Request = { readonly caller: Caller; readonly serverId: string; readonly requestId: string }
type SettingsCall = 'PUT /api/server/{id}/settings/identity' | 'PUT /api/server/{id}/settings/operation'

const refuse = (code: SettingsRefusal['code']): SettingsRefusal => ({ ok: false, code })

/** The locked server of somebody who may change it. */
async function openForChange(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  { caller, serverId, call }: Request & { call: SettingsCall },
): Promise<{ readonly ok: true; readonly server: ServerRecord } | SettingsRefusal> {
  const access = await lockedAccess(tx, caller, serverId)
  if (!access) return refuse('NOT_FOUND')
  const permission = PERMISSION_OF_CALL[call]
  if (!access.permissions.includes(permission)) return { ...refuse('FORBIDDEN'), permission }
  const { server } = access
  if (server.deletedAtMs !== null || server.desired === 'deleted') return refuse('NOT_FOUND')
  const readOnly = readOnlyReason(server, clock.now())
  if (readOnly !== null) return refuse(readOnly === 'suspended' ? 'SERVER_SUSPENDED' : 'SERVER_EXPIRED')
  return { ok: true, server }
}

type Deed = { readonly type: string; readonly detail?: { readonly before?: string; readonly after?: string } }

/** The values before and after; the empty text stands for nothing. */
const fromTo = (before: string | null, after: string | null) => ({
  ...(before ? { before } : {}),
  ...(after ? { after } : {}),
})

/** Records each change, tells the node, and answers with what is saved now. */
async function deliver(tx: Sql, context: Context, { request, deeds }: { request: Request; deeds: readonly Deed[] }) {
  const { caller, serverId, requestId } = request
  const { userId, address, way } = caller
  for (const deed of deeds) {
    await recordActivity(tx, context, { userId, serverId, address, way, status: 'success', ...deed })
  }
  await context.faults('settings.after-change')
  if (deeds.length > 0) await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
  const server = await findServer(tx, serverId)
  assert(server, 'the server is locked')
  return { ok: true, settings: await shownSettings(tx, server) } as const
}

/** Changes the name and the description of a server; the open pages of everybody who sees it show them at once. */
export function changeIdentity(
  context: Context,
  { change, ...request }: Request & { change: IdentityChange },
): Promise<Changed | SettingsRefusal> {
  return context.db.transaction(async (tx): Promise<Changed | SettingsRefusal> => {
    const open = await openForChange(tx, context, { ...request, call: 'PUT /api/server/{id}/settings/identity' })
    if (!open.ok) return open
    const { id, name, description } = open.server
    if (change.seen.name !== name || change.seen.description !== description) return refuse('SETTINGS_CHANGED')
    const isRenamed = change.name !== name
    const isDescribed = change.description !== description
    await tx.query('update control.servers set name = $2, description = $3 where id = $1', [
      id,
      change.name,
      change.description,
    ])
    if (isRenamed) await changeSpec(tx, id, { name: change.name })
    if (isRenamed || isDescribed) {
      await announcePeople(tx, context, { serverId: id, others: [], requestId: request.requestId })
    }
    const deeds = [
      ...(isRenamed ? [{ type: 'server:settings.rename', detail: fromTo(name, change.name) }] : []),
      // Its text is not a record of what was done, and would outlive the server in the entries of sub-users.
      ...(isDescribed ? [{ type: 'server:settings.description' }] : []),
    ]
    return deliver(tx, context, { request, deeds })
  })
}

const deedOf = (part: OperationPart, before: Operation, after: Operation): Deed => {
  if (part === 'autoStart')
    return { type: after.autoStart ? 'server:settings.auto-start-on' : 'server:settings.auto-start-off' }
  if (part === 'stopTimeoutS') {
    return {
      type: 'server:settings.stop-timeout',
      detail: fromTo(`${before.stopTimeoutS} s`, `${after.stopTimeoutS} s`),
    }
  }
  return { type: 'server:settings.time-zone', detail: fromTo(before.timeZone, after.timeZone) }
}

/** Changes how a server is run. The node gets it with the next generation of the specification. */
export function changeOperation(
  context: Context,
  { change, ...request }: Request & { change: OperationChange },
): Promise<Changed | SettingsRefusal> {
  return context.db.transaction(async (tx): Promise<Changed | SettingsRefusal> => {
    const open = await openForChange(tx, context, { ...request, call: 'PUT /api/server/{id}/settings/operation' })
    if (!open.ok) return open
    const { seen, ...after } = change
    const before = operationOf(open.server)
    if (changedParts(before, seen).length > 0) return refuse('SETTINGS_CHANGED')
    const parts = changedParts(before, after)
    const { timeZone, autoStart, stopTimeoutS } = after
    if (parts.length > 0) {
      await changeSpec(tx, open.server.id, { timeZone, autoStart, stopTimeoutMs: stopTimeoutS * 1_000 })
      // A server that lies still is not started by the choice itself, but by whatever happens next.
      if (autoStart && parts.includes('autoStart') && !isAlive(open.server.state)) {
        await setDesiredPower(tx, open.server.id, 'stopped')
      }
    }
    return deliver(tx, context, { request, deeds: parts.map((part) => deedOf(part, before, after)) })
  })
}
