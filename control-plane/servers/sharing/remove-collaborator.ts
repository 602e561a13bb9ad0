import { lockedAccess } from '../access/server-access.ts'
import { refuseShareChange } from '#domain/servers/permissions.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { revokeShare } from '../access/revoke-share.ts'
import { announcePeople } from './announce-people.ts'
import { actorOf, lacks, refuse } from './sharing-access.ts'
import type { SharingCaller, SharingRefusal } from './sharing-access.ts'
import { deleteInvitation, deleteShare, readShareOf, type Share } from './share-store.ts'

type Removal = {
  readonly caller: SharingCaller
  readonly serverId: string
  readonly userId: string
  readonly requestId: string
}

async function record(tx: Sql, context: Context, { caller, serverId, userId }: Removal): Promise<void> {
  const isLeaving = caller.userId === userId
  const type = isLeaving ? 'server:subuser.leave' : 'server:subuser.delete'
  const detail = isLeaving ? {} : { text: (await readPerson(tx, userId))?.username ?? '' }
  const { userId: actorId, address, way } = caller
  await recordActivity(tx, context, { userId: actorId, address, way, serverId, type, status: 'success', detail })
}

/** Takes the share away, with everything that it opened. */
async function endShare(
  tx: Sql,
  context: Context,
  { share, name, removal }: { share: Share; name: string; removal: Removal },
): Promise<void> {
  const { caller, serverId, userId, requestId } = removal
  await deleteShare(tx, share)
  await revokeShare(tx, context, { serverId, userId, requestId })
  if (caller.userId === userId) return
  const data = { sid: serverId, name }
  await notifyUser(tx, context, { userId, text: 'server.access-ended', data, requestId })
}

/** Removes a person from a server, withdraws an invitation, or lets the caller leave. */
export function removeCollaborator(context: Context, removal: Removal): Promise<{ ok: true } | SharingRefusal> {
  return context.db.transaction(async (tx) => {
    const { caller, serverId, userId, requestId } = removal
    const access = await lockedAccess(tx, caller, serverId)
    if (!access) return refuse('NOT_FOUND')
    const { ownerId, name } = access.server
    if (userId !== caller.userId && !access.permissions.includes('user.remove')) return lacks('user.remove')
    if (userId === ownerId) return refuse('OWNER_HAS_ALL')
    const share = await readShareOf(tx, { serverId, userId }, context.clock.now())
    if (!share) return refuse('NOT_FOUND')
    const change = { actor: actorOf(caller, access), ownerId, subUserId: userId }
    const code = refuseShareChange({ ...change, before: share.permissions, after: null })
    if (code !== null) return refuse(code)
    await record(tx, context, removal)
    if (share.state === 'pending') await deleteInvitation(tx, share)
    else await endShare(tx, context, { share, name, removal })
    await announcePeople(tx, context, { serverId, others: [userId], requestId })
    return { ok: true }
  })
}
