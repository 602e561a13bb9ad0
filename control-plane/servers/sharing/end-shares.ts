import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { revokeShare } from '../access/revoke-share.ts'
import { announcePeople } from './announce-people.ts'
import { deleteShare } from './share-store.ts'

const BATCH = 100

type DueRow = {
  server_id: string
  user_id: string
  name: string
  owner_id: string
  username: string | null
  is_gone: boolean
}

async function endOne(tx: Sql, context: Context, row: DueRow): Promise<void> {
  const place = { serverId: row.server_id, userId: row.user_id }
  const requestId = `share-end:${row.server_id}`
  await deleteShare(tx, place)
  // Nobody is told of a server that was deleted long ago, and its owner may be erased.
  if (row.is_gone) return
  await revokeShare(tx, context, { ...place, requestId })
  const data = { sid: row.server_id, name: row.name }
  await notifyUser(tx, context, { userId: row.user_id, text: 'server.access-ended', data, requestId })
  const activity = {
    type: 'server:subuser.end',
    status: 'success',
    doneBy: 'system',
    way: 'timer',
    detail: { text: row.username ?? '' },
  } as const
  await recordActivity(tx, context, { userId: row.owner_id, serverId: row.server_id, ...activity })
  await announcePeople(tx, context, { serverId: row.server_id, others: [row.user_id], requestId })
}

/**
 * Removes shares whose end has come, and invitations that nobody answered. The rights ended at that moment already,
 * because every reader asks for the time; this tells the people. Returns the number of ended shares.
 */
export async function endShares(context: Context): Promise<number> {
  const now = new Date(context.clock.now())
  const ended = await context.db.transaction(async (tx) => {
    const rows = await tx.query<DueRow>(
      `select share.server_id, share.user_id, s.name, s.owner_id, person.username,
         s.deleted_at is not null or s.desired = 'deleted' as is_gone
       from control.server_users share join control.servers s on s.id = share.server_id
         left join cms_api.people person on person.id = share.user_id
       where share.ends_at <= $1 order by share.ends_at limit ${BATCH} for update of share skip locked`,
      [now],
    )
    for (const row of rows) await endOne(tx, context, row)
    return rows.length
  })
  await context.db.query('delete from control.server_invitations where expires_at <= $1 or ends_at <= $1', [now])
  return ended
}
