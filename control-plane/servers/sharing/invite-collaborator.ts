import type { CollaboratorInvite } from '#contracts/http/panel/collaborators.ts'
import type { PersonRow } from '#contracts/cms-api/rows.ts'
import { refuseShareChange, withNeeds } from '#domain/servers/permissions.ts'
import { hasSeat, invitationEndMs, isEndRefused, type ShareEndMs } from '#domain/servers/shares.ts'
import { findVerifiedPerson, readPerson } from '../../cms/cms-reader.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockedAccess, type ServerAccess } from '../access/server-access.ts'
import { announcePeople } from './announce-people.ts'
import { takeInvitationTry } from './invitation-tries.ts'
import { actorOf, isEndTooSoon, lacks, refuse } from './sharing-access.ts'
import type { SharingCaller, SharingRefusal } from './sharing-access.ts'
import { readSeats, type SharingContext } from './sharing-room.ts'
import { readShareOf, writeInvitation, type Share } from './share-store.ts'

type Invitation = {
  readonly caller: SharingCaller
  readonly serverId: string
  readonly request: CollaboratorInvite
  readonly requestId: string
}

const endOf = ({ endsAt }: Pick<CollaboratorInvite, 'endsAt'>): ShareEndMs =>
  endsAt === null ? null : Date.parse(endsAt)

/** Everything that is decided before anybody's address is looked up. */
function refusalOf(access: ServerAccess, { caller, request }: Invitation, nowMs: number): SharingRefusal | null {
  const { server, permissions: own, endsAtMs: ownEndMs } = access
  if (!own.includes('user.invite')) return lacks('user.invite')
  const { permissions } = request
  // Nobody is named yet.
  const change = { actor: actorOf(caller, access), ownerId: server.ownerId, subUserId: '', before: null }
  const code = refuseShareChange({ ...change, after: permissions })
  if (code !== null) return refuse(code)
  const afterMs = endOf(request)
  if (isEndTooSoon(afterMs, nowMs)) return refuse('VALIDATION', { fields: { endsAt: 'invalid' } })
  if (isEndRefused({ own, ownEndMs, permissions, beforeMs: undefined, afterMs })) return refuse('MORE_THAN_OWN')
  return caller.isVerified ? null : refuse('EMAIL_NOT_VERIFIED')
}

/** Looks the address up. Each try counts, whatever it finds. */
async function invitedPerson(
  tx: Sql,
  context: Context,
  { access, invitation: { caller, request } }: { access: ServerAccess; invitation: Invitation },
): Promise<PersonRow | SharingRefusal> {
  const { server } = access
  const waitSeconds = await takeInvitationTry(tx, context, { ownerId: server.ownerId, userId: caller.userId })
  if (waitSeconds !== null) return refuse('TOO_MANY_REQUESTS', { params: { retryAfterSeconds: waitSeconds } })
  const person = await findVerifiedPerson(tx, request.email)
  if (!person) return refuse('COLLABORATOR_UNKNOWN')
  if (person.id === server.ownerId) return refuse('OWNER_HAS_ALL')
  const present = await readShareOf(tx, { serverId: server.id, userId: person.id }, context.clock.now())
  const isOwn = person.id === caller.userId
  return present || isOwn ? refuse('ALREADY_COLLABORATOR') : person
}

async function writeAll(
  tx: Sql,
  context: Context,
  { access, person, invitation }: { access: ServerAccess; person: PersonRow; invitation: Invitation },
): Promise<Share> {
  const { caller, request, requestId } = invitation
  const { id: serverId, name } = access.server
  const nowMs = context.clock.now()
  const expiresAtMs = invitationEndMs(nowMs)
  const permissions = withNeeds(request.permissions)
  const endsAtMs = endOf(request)
  const terms = { serverId, userId: person.id, permissions, endsAtMs }
  await writeInvitation(tx, { ...terms, invitedBy: caller.userId, nowMs, expiresAtMs })
  const activity = {
    type: 'server:subuser.create',
    status: 'success',
    detail: { text: person.username },
  } as const
  const { userId, address, way } = caller
  await recordActivity(tx, context, { userId, address, way, serverId, ...activity })
  const inviter = await readPerson(tx, caller.userId)
  const data = { sid: serverId, name, ...(inviter ? { person: inviter.username } : {}) }
  await notifyUser(tx, context, { userId: person.id, text: 'server.invited', data, requestId })
  await announcePeople(tx, context, { serverId, others: [], requestId })
  return { ...terms, state: 'pending', sinceMs: nowMs, invitation: { invitedBy: caller.userId, expiresAtMs } }
}

/**
 * Invites the owner of an e-mail address. They may do nothing until they accept. A refusal tells whether the address
 * has an account only to somebody who may invite, has a place to give, and has not tried too often (decision 72).
 */
export function inviteCollaborator(
  context: SharingContext,
  invitation: Invitation,
): Promise<{ ok: true; share: Share } | SharingRefusal> {
  return context.db.transaction(async (tx) => {
    const access = await lockedAccess(tx, invitation.caller, invitation.serverId)
    if (!access) return refuse('NOT_FOUND')
    const nowMs = context.clock.now()
    const refusal = refusalOf(access, invitation, nowMs)
    if (refusal) return refusal
    const { ownerId, id: serverId } = access.server
    const seats = await readSeats(tx, context, { serverId, ownerId, nowMs })
    if (!hasSeat(seats)) return refuse('COLLABORATOR_LIMIT', { params: { limit: seats.limit } })
    const found = await invitedPerson(tx, context, { access, invitation })
    if ('ok' in found) return found
    return { ok: true, share: await writeAll(tx, context, { access, person: found, invitation }) }
  })
}
