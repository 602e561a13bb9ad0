import { Notification } from '#contracts/http/notification.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import type { KnownErrorId } from '#domain/known-errors/rules.ts'
import { crashNotice, CRASHES_WITHIN_MS, crashTelling, type CrashTelling } from '#domain/notifications/crash-notice.ts'
import { toldSinceMs } from '#domain/notifications/told-lately.ts'
import { CRASH_TYPES } from '../../messages/notices/last-crash.ts'
import { changeNotice, notifyUser } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ServerRecord } from '../store/server-store.ts'

type Deps = Pick<Context, 'ids' | 'clock'>
type Trouble = {
  readonly server: Pick<ServerRecord, 'id' | 'name' | 'ownerId'>
  readonly type: string
  /** The known error that the last lines before a crash name. */
  readonly error?: KnownErrorId | undefined
  /** The title of the staff's rule that they match. */
  readonly staffError?: LocalizedText | undefined
}
type Told = {
  readonly text: 'server.crashed' | 'server.storage-filling'
  readonly data: Pick<Notification['data'], 'again' | 'error' | 'staffError'>
}
const STORAGE_FILLING: Told = { text: 'server.storage-filling', data: {} }

async function crashesLately(tx: Sql, { clock }: Deps, serverId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from control.activities where server_id = $1 and type = any ($2) and created_at > $3`,
    [serverId, CRASH_TYPES, new Date(clock.now() - CRASHES_WITHIN_MS)],
  )
  return row?.count ?? 0
}

/** The notification that an activity of this type brings its owner; undefined for a type without one. */
async function noticeOf(tx: Sql, deps: Deps, { server, type, error, staffError }: Trouble): Promise<Told | undefined> {
  if (type === 'server:storage-filling') return STORAGE_FILLING
  if (!CRASH_TYPES.includes(type)) return undefined
  const notice = crashNotice(type, await crashesLately(tx, deps, server.id))
  if (notice === undefined) return undefined
  const named = { ...(error && { error }), ...(staffError && { staffError }) }
  return { text: 'server.crashed', data: { ...(notice === 'again' && { again: true }), ...named } }
}

/** How this notice reaches its owner beside those of the last hour about the same server. */
async function tellingOf(
  tx: Sql,
  deps: Deps,
  { server, notice }: { server: Trouble['server']; notice: Told },
): Promise<CrashTelling> {
  const lately = await tx.query<{ id: string; data: unknown }>(
    `select id, data from control.notifications where user_id = $1 and text = $2 and data ->> 'sid' = $3 and created_at > $4
     order by created_at, id`,
    [server.ownerId, notice.text, server.id, new Date(toldSinceMs(deps.clock.now()))],
  )
  if (notice.text === 'server.crashed') {
    // One of another release may have words that this one does not know, and must not hold up a node's events.
    const told = lately.flatMap(({ id, data }) => {
      const words = Notification.shape.data.safeParse(data)
      return words.success ? [{ id, words: words.data }] : []
    })
    return crashTelling(notice.data, told)
  }
  return { is: lately.length === 0 ? 'new' : 'none' }
}

/** Notifies the owner of a trouble that the server's node has reported as an activity of this type. */
export async function tellTrouble(tx: Sql, deps: Deps, trouble: Trouble): Promise<void> {
  const notice = await noticeOf(tx, deps, trouble)
  if (notice === undefined) return
  const { id: sid, name, ownerId: userId } = trouble.server
  const telling = await tellingOf(tx, deps, { server: trouble.server, notice })
  if (telling.is === 'none') return
  const told = { text: notice.text, data: { sid, name, ...notice.data }, userId, requestId: '' }
  if (telling.is === 'new') await notifyUser(tx, deps, told)
  else await changeNotice(tx, deps, { ...told, id: telling.id })
}
