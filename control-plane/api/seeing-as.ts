import type { Server } from '#contracts/http/server.ts'
import type { Caller, InternalCallName } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { isSeenCall } from '#contracts/internal-api/seen-calls.ts'
import type { Context } from '../platform/context.ts'
import { accessOf, shownAccessOf } from '../servers/access/server-access.ts'
import { findServer } from '../servers/store/read-servers.ts'
import { ApiRefusal } from './api-refusal.ts'

type Asked = { readonly caller?: Caller; readonly serverId?: string }

/**
 * Refuses a call of somebody who looks at a server as a collaborator unless it only looks, and unless the caller edits the
 * collaborators of that server. Calls ask for the collaborator's own permissions themselves.
 */
export async function refuseWhileSeeing(
  { db }: Pick<Context, 'db'>,
  { name, input }: { name: InternalCallName; input: unknown },
): Promise<void> {
  const { caller, serverId } = input as Asked
  if (caller?.seesAs === undefined) return
  if (!isSeenCall(name) || serverId === undefined) throw new ApiRefusal('SEEING_AS')
  const { seesAs: _, ...self } = caller
  const own = await accessOf(db, self, serverId)
  const permission = PERMISSION_OF_CALL['POST /api/server/{id}/users/{userId}/see-as']
  if (own && !own.permissions.includes(permission)) throw new ApiRefusal('FORBIDDEN', { params: { permission } })
}

/** A server as the caller sees it, or as the collaborator as whom they look. */
export async function seenServer(
  context: Pick<Context, 'db' | 'clock'>,
  { caller, serverId }: { caller: Caller; serverId: string },
): Promise<Server> {
  const seen = caller.seesAs === undefined ? undefined : await shownAccessOf(context.db, caller, serverId)
  const isGone = caller.seesAs !== undefined && seen === undefined
  const server = isGone
    ? undefined
    : await findServer(context, { caller, serverId, ...(seen && { permissions: seen.permissions }) })
  if (!server) throw new ApiRefusal('NOT_FOUND')
  return server
}
