import { canAccept } from '#domain/servers/shares.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { revokeAtEnd } from '../access/revoke-share.ts'
import { lockServer, type ServerRecord } from '../store/server-store.ts'
import { announcePeople } from './announce-people.ts'
import { refuse, type SharingCaller, type SharingRefusal } from './sharing-access.ts'
import { couldSend } from './sender.ts'
import { readSeats, type SharingContext } from './sharing-room.ts'
import { deleteInvitation, readShareOf, writeShare, type Share } from './share-store.ts'

type Answer = {
  readonly caller: Pick<SharingCaller, 'userId' | 'address' | 'way'>
  readonly serverId: string
  readonly requestId: string
}
type Found = { readonly server: ServerRecord; readonly share: Share; readonly invitedBy: string }

/** The caller's invitation with its server's row locked. Withdrawn and expired ones are the same as none. */
async function lockInvitation(tx: Sql, { caller, serverId }: Answer, nowMs: number): Promise<Found | undefined> {
  const place = { serverId, userId: caller.userId }
  if ((await readShareOf(tx, place, nowMs))?.state !== 'pending') return undefined
  const server = await lockServer(tx, serverId)
  const share = await readShareOf(tx, place, nowMs)
  if (!server || server.deletedAtMs !== null || server.desired === 'deleted') return undefined
  return share?.invitation ? { server, share, invitedBy: share.invitation.invitedBy } : undefined
}

async function tellAnswer(
  tx: Sql,
  context: Context,
  { found: { server, invitedBy }, answer, isAccepted }: { found: Found; answer: Answer; isAccepted: boolean },
): Promise<void> {
  const { caller, serverId, requestId } = answer
  const type = isAccepted ? 'server:subuser.accept' : 'server:subuser.decline'
  const { userId, address, way } = caller
  await recordActivity(tx, context, { userId, address, way, serverId, type, status: 'success' })
  const person = await readPerson(tx, userId)
  const data = { sid: serverId, name: server.name, ...(person ? { person: person.username } : {}) }
  const text = isAccepted ? 'server.joined' : 'server.declined'
  for (const reader of new Set([invitedBy, server.ownerId])) {
    await notifyUser(tx, context, { userId: reader, text, data, requestId })
  }
  await announcePeople(tx, context, { serverId, others: [userId], requestId })
}

/** Accepts an invitation: from now on the caller has its permissions. */
export function acceptInvitation(context: SharingContext, answer: Answer): Promise<{ ok: true } | SharingRefusal> {
  return context.db.transaction(async (tx) => {
    const nowMs = context.clock.now()
    const found = await lockInvitation(tx, answer, nowMs)
    if (!found) return refuse('NOT_FOUND')
    const { server, share, invitedBy } = found
    const { serverId, userId, permissions, endsAtMs } = share
    if (!(await couldSend(tx, invitedBy, share))) {
      await deleteInvitation(tx, share)
      return refuse('NOT_FOUND')
    }
    const seats = await readSeats(tx, context, { serverId, ownerId: server.ownerId, nowMs })
    if (!canAccept(seats)) return refuse('COLLABORATOR_LIMIT', { params: { limit: seats.limit } })
    await deleteInvitation(tx, share)
    await writeShare(tx, { serverId, userId, permissions, endsAtMs, nowMs })
    await revokeAtEnd(tx, context, { serverId, userId, endsAtMs, requestId: answer.requestId })
    await tellAnswer(tx, context, { found, answer, isAccepted: true })
    return { ok: true }
  })
}

/** Declines an invitation, which leaves no trace but an activity. */
export function declineInvitation(context: Context, answer: Answer): Promise<{ ok: true } | SharingRefusal> {
  return context.db.transaction(async (tx) => {
    const found = await lockInvitation(tx, answer, context.clock.now())
    if (!found) return refuse('NOT_FOUND')
    await deleteInvitation(tx, found.share)
    await tellAnswer(tx, context, { found, answer, isAccepted: false })
    return { ok: true }
  })
}
