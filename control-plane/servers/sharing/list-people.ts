import type { Collaborator, ServerInvitation, SharingRoom } from '#contracts/http/panel/collaborators.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Locale } from '#contracts/locale.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { accessOf } from '../access/server-access.ts'
import { lacks, refuse, type SharingRefusal } from './sharing-access.ts'
import { readSeats, type SharingContext } from './sharing-room.ts'
import { readInvitationsTo, readShares, type Share } from './share-store.ts'

type Reading = Pick<Context, 'db' | 'clock'>
type Asked = { readonly caller: Pick<Caller, 'userId' | 'isAdmin'>; readonly serverId: string }

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

type NameRow = { id: string; username: string; email: string }

/** Names and addresses as others see them. */
async function namesOf(sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, NameRow>> {
  const rows = await sql.query<NameRow>(
    `select p.id, p.username, coalesce(a.email, '') as email
     from cms_api.people p left join cms_api.shown_addresses a on a.id = p.id where p.id = any ($1)`,
    [userIds],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Shares in the format of the API. */
export async function shownPeople(sql: Sql, shares: readonly Share[]): Promise<Collaborator[]> {
  const names = await namesOf(
    sql,
    shares.map(({ userId }) => userId),
  )
  return shares.map((share) => ({
    id: share.userId,
    username: names.get(share.userId)?.username ?? '',
    email: names.get(share.userId)?.email ?? '',
    permissions: [...share.permissions],
    state: share.state,
    since: new Date(share.sinceMs).toISOString(),
    endsAt: instant(share.endsAtMs),
    expiresAt: instant(share.invitation?.expiresAtMs ?? null),
  }))
}

/** The people of a server, the newest first. */
export async function listCollaborators(
  { db, clock }: Reading,
  { caller, serverId }: Asked,
): Promise<{ ok: true; people: Collaborator[] } | SharingRefusal> {
  const access = await accessOf(db, caller, serverId)
  if (!access) return refuse('NOT_FOUND')
  if (!access.permissions.includes('user.list')) return lacks('user.list')
  return { ok: true, people: await shownPeople(db, await readShares(db, serverId, clock.now())) }
}

/** How many people a server has room for. */
export async function sharingRoom(
  { db, clock, placesOf }: Reading & Pick<SharingContext, 'placesOf'>,
  { caller, serverId }: Asked,
): Promise<{ ok: true; room: SharingRoom } | SharingRefusal> {
  const access = await accessOf(db, caller, serverId)
  if (!access) return refuse('NOT_FOUND')
  if (!access.permissions.includes('user.list')) return lacks('user.list')
  const { ownerId } = access.server
  const { limit, shares, invitations, tier, next } = await readSeats(
    db,
    { placesOf },
    { serverId, ownerId, nowMs: clock.now() },
  )
  return { ok: true, room: { limit, used: shares + invitations, tier, next, ownEnd: instant(access.endsAtMs) } }
}

type ServerFacts = {
  id: string
  name: string
  owner_id: string
  service_name: Readonly<Record<Locale, string>>
  banner: string | null
  icon: string | null
}

/** The invitations that the caller can answer, the newest first. */
export async function listInvitations(
  { db, clock }: Reading,
  { userId, locale }: Pick<Caller, 'userId' | 'locale'>,
): Promise<ServerInvitation[]> {
  const invitations = await readInvitationsTo(db, userId, clock.now())
  if (invitations.length === 0) return []
  const servers = await db.query<ServerFacts>(
    `select s.id, s.name, s.owner_id, s.service_name, g.banner, g.icon
     from control.servers s left join cms_api.service_pictures g on g.id = s.service_id where s.id = any ($1)`,
    [invitations.map(({ serverId }) => serverId)],
  )
  const people = invitations.flatMap(({ invitation }) => invitation?.invitedBy ?? [])
  const names = await namesOf(db, [...people, ...servers.map((server) => server.owner_id)])
  const nameOf = (id: string) => names.get(id)?.username ?? ''
  return invitations.flatMap(({ serverId, permissions, endsAtMs, sinceMs, invitation }) => {
    const server = servers.find(({ id }) => id === serverId)
    if (!server || !invitation) return []
    return {
      serverId,
      serverName: server.name,
      serviceName: server.service_name[locale],
      pictures: { banner: server.banner, icon: server.icon },
      owner: nameOf(server.owner_id),
      invitedBy: nameOf(invitation.invitedBy),
      permissions: [...permissions],
      endsAt: instant(endsAtMs),
      createdAt: new Date(sinceMs).toISOString(),
      expiresAt: new Date(invitation.expiresAtMs).toISOString(),
    }
  })
}
