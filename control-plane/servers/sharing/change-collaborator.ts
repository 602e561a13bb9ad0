import type { CollaboratorChange } from '#contracts/http/panel/collaborators.ts'
import { refuseShareChange, withNeeds } from '#domain/servers/permissions.ts'
import { isEndRefused, isSamePermissions, type ShareEndMs } from '#domain/servers/shares.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import { revokeAtEnd, revokeShare } from '../access/revoke-share.ts'
import { lockedAccess, type ServerAccess } from '../access/server-access.ts'
import { announcePeople } from './announce-people.ts'
import { actorOf, isEndTooSoon, lacks, refuse } from './sharing-access.ts'
import type { SharingCaller, SharingRefusal } from './sharing-access.ts'
import { couldSend } from './sender.ts'
import { readShareOf, updateShare, type Share } from './share-store.ts'

type Change = {
  readonly caller: SharingCaller
  readonly serverId: string
  readonly userId: string
  readonly request: CollaboratorChange
  readonly requestId: string
}

const msOf = (instant: string | null): ShareEndMs => (instant === null ? null : Date.parse(instant))

function refusalOf(
  { access, share, nowMs }: { access: ServerAccess; share: Share; nowMs: number },
  { caller, request }: Change,
): SharingRefusal | null {
  const { server, permissions: own, endsAtMs: ownEndMs } = access
  const { permissions: before, endsAtMs: beforeMs } = share
  const { permissions, seen } = request
  const change = { actor: actorOf(caller, access), ownerId: server.ownerId, subUserId: share.userId }
  const code = refuseShareChange({ ...change, before, after: permissions })
  if (code !== null) return refuse(code)
  // Somebody else changed it while this page showed what was before.
  if (!isSamePermissions(seen.permissions, before) || msOf(seen.endsAt) !== beforeMs) return refuse('SHARE_CHANGED')
  const afterMs = msOf(request.endsAt)
  if (isEndRefused({ own, ownEndMs, permissions, beforeMs, afterMs })) return refuse('MORE_THAN_OWN')
  const isTooSoon = afterMs !== beforeMs && isEndTooSoon(afterMs, nowMs)
  return isTooSoon ? refuse('VALIDATION', { fields: { endsAt: 'invalid' } }) : null
}

/**
 * The invitation with the person who answers for it: its sender, as long as they could send it as it is now. Beyond that it
 * is the changer's own, who has to be allowed to invite. Null if nobody answers for it: nobody could accept it either.
 */
async function answeredFor(tx: Sql, share: Share, changerId: string): Promise<Share | null> {
  const { invitation } = share
  if (invitation === null) return share
  if (await couldSend(tx, invitation.invitedBy, share)) return share
  return (await couldSend(tx, changerId, share))
    ? { ...share, invitation: { ...invitation, invitedBy: changerId } }
    : null
}

/** Changes what a person may do, and until when. Tokens with the permissions of before are revoked with the commit. */
export function changeCollaborator(
  context: Context,
  change: Change,
): Promise<{ ok: true; share: Share } | SharingRefusal> {
  return context.db.transaction(async (tx) => {
    const { caller, serverId, userId, request, requestId } = change
    const nowMs = context.clock.now()
    const access = await lockedAccess(tx, caller, serverId)
    if (!access) return refuse('NOT_FOUND')
    if (!access.permissions.includes('user.update')) return lacks('user.update')
    if (userId === access.server.ownerId) return refuse('OWNER_HAS_ALL')
    const share = await readShareOf(tx, { serverId, userId }, nowMs)
    if (!share) return refuse('NOT_FOUND')
    const refusal = refusalOf({ access, share, nowMs }, change)
    if (refusal) return refusal
    const wanted = { ...share, permissions: withNeeds(request.permissions), endsAtMs: msOf(request.endsAt) }
    const changed = await answeredFor(tx, wanted, caller.userId)
    if (!changed) return refuse('MORE_THAN_OWN')
    await updateShare(tx, changed)
    if (share.state === 'active') {
      await revokeShare(tx, context, { serverId, userId, requestId })
      await revokeAtEnd(tx, context, { serverId, userId, endsAtMs: changed.endsAtMs, requestId })
    }
    const person = (await readPerson(tx, userId))?.username ?? ''
    const activity = { type: 'server:subuser.update', status: 'success', detail: { text: person } } as const
    const { address, way } = caller
    await recordActivity(tx, context, { userId: caller.userId, address, way, serverId, ...activity })
    await announcePeople(tx, context, { serverId, others: [userId], requestId })
    return { ok: true, share: changed }
  })
}
