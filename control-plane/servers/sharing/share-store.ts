import type { Permission } from '#contracts/panel/permissions.ts'
import { withNeeds } from '#domain/servers/permissions.ts'
import type { ShareEndMs } from '#domain/servers/shares.ts'
import type { Sql } from '#platform/postgres/database.ts'

export type SharePlace = { readonly serverId: string; readonly userId: string }

/** A share of a server, or an invitation to one, which `state` tells apart. Times in epoch milliseconds. */
export type Share = SharePlace & {
  readonly state: 'active' | 'pending'
  readonly permissions: readonly Permission[]
  readonly endsAtMs: ShareEndMs
  readonly sinceMs: number
  /** The sender of a pending invitation, and its last moment. */
  readonly invitation: { readonly invitedBy: string; readonly expiresAtMs: number } | null
}

type Row = {
  server_id: string
  user_id: string
  permissions: string[]
  ends_at: Date | null
  created_at: Date
  invited_by: string | null
  expires_at: Date | null
}

const shareOf = (row: Row): Share => ({
  serverId: row.server_id,
  userId: row.user_id,
  state: row.invited_by === null ? 'active' : 'pending',
  permissions: withNeeds(row.permissions),
  endsAtMs: row.ends_at?.getTime() ?? null,
  sinceMs: row.created_at.getTime(),
  invitation:
    row.invited_by === null || row.expires_at === null
      ? null
      : { invitedBy: row.invited_by, expiresAtMs: row.expires_at.getTime() },
})

const SHARES = `select server_id, user_id, permissions, ends_at, created_at, null::uuid as invited_by, null::timestamptz as expires_at
  from control.server_users where ends_at is null or ends_at > $1`
const INVITATIONS = `select server_id, user_id, permissions, ends_at, created_at, invited_by, expires_at
  from control.server_invitations where expires_at > $1 and (ends_at is null or ends_at > $1)`

/** All people of a server, the newest first. */
export async function readShares(sql: Sql, serverId: string, nowMs: number): Promise<Share[]> {
  const rows = await sql.query<Row>(
    `select * from (${SHARES} union all ${INVITATIONS}) share where server_id = $2 order by created_at desc, user_id`,
    [new Date(nowMs), serverId],
  )
  return rows.map(shareOf)
}

/** The share of one person, or their pending invitation. The caller holds the server's lock, so it stays as it is. */
export async function readShareOf(
  sql: Sql,
  { serverId, userId }: SharePlace,
  nowMs: number,
): Promise<Share | undefined> {
  const [row] = await sql.query<Row>(
    `select * from (${SHARES} union all ${INVITATIONS}) share where server_id = $2 and user_id = $3`,
    [new Date(nowMs), serverId, userId],
  )
  return row && shareOf(row)
}

/** The invitations of one person that they can still answer. */
export async function readInvitationsTo(sql: Sql, userId: string, nowMs: number): Promise<Share[]> {
  const rows = await sql.query<Row>(
    `select invitation.* from (${INVITATIONS}) invitation
       join control.servers s on s.id = invitation.server_id and s.deleted_at is null and s.desired = 'installed'
     where invitation.user_id = $2 order by invitation.created_at desc`,
    [new Date(nowMs), userId],
  )
  return rows.map(shareOf)
}

type Terms = SharePlace & { readonly permissions: readonly string[]; readonly endsAtMs: ShareEndMs }

const endOf = (endsAtMs: ShareEndMs): Date | null => (endsAtMs === null ? null : new Date(endsAtMs))

/** Writes an invitation in place of an expired one. */
export async function writeInvitation(
  tx: Sql,
  {
    serverId,
    userId,
    permissions,
    endsAtMs,
    invitedBy,
    nowMs,
    expiresAtMs,
  }: Terms & {
    readonly invitedBy: string
    readonly nowMs: number
    readonly expiresAtMs: number
  },
): Promise<void> {
  await tx.query(
    `insert into control.server_invitations (server_id, user_id, permissions, ends_at, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (server_id, user_id) do update set permissions = excluded.permissions, ends_at = excluded.ends_at,
       invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [serverId, userId, permissions, endOf(endsAtMs), invitedBy, new Date(nowMs), new Date(expiresAtMs)],
  )
}

/** Writes a share in place of one that has ended. */
export async function writeShare(
  tx: Sql,
  { serverId, userId, permissions, endsAtMs, nowMs }: Terms & { readonly nowMs: number },
): Promise<void> {
  await tx.query(
    `insert into control.server_users (server_id, user_id, permissions, ends_at, created_at) values ($1, $2, $3, $4, $5)
     on conflict (server_id, user_id) do update set permissions = excluded.permissions, ends_at = excluded.ends_at,
       created_at = excluded.created_at`,
    [serverId, userId, permissions, endOf(endsAtMs), new Date(nowMs)],
  )
}

/** Changes permissions and end, and who answers for an invitation. */
export async function updateShare(
  tx: Sql,
  { serverId, userId, permissions, endsAtMs, invitation }: Terms & Pick<Share, 'invitation'>,
): Promise<void> {
  if (invitation === null) {
    await tx.query(
      'update control.server_users set permissions = $3, ends_at = $4 where server_id = $1 and user_id = $2',
      [serverId, userId, permissions, endOf(endsAtMs)],
    )
    return
  }
  await tx.query(
    `update control.server_invitations set permissions = $3, ends_at = $4, invited_by = $5
     where server_id = $1 and user_id = $2`,
    [serverId, userId, permissions, endOf(endsAtMs), invitation.invitedBy],
  )
}

export async function deleteInvitation(tx: Sql, { serverId, userId }: SharePlace): Promise<void> {
  await tx.query('delete from control.server_invitations where server_id = $1 and user_id = $2', [serverId, userId])
}

/** Removes a share, with the invitations that its person sent and nobody has answered. */
export async function deleteShare(tx: Sql, { serverId, userId }: SharePlace): Promise<void> {
  await tx.query('delete from control.server_users where server_id = $1 and user_id = $2', [serverId, userId])
  await tx.query('delete from control.server_invitations where server_id = $1 and invited_by = $2', [serverId, userId])
}
