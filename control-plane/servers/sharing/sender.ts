import { isEndRefused } from '#domain/servers/shares.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { accessOf } from '../access/server-access.ts'
import type { Share } from './share-store.ts'

/** Whether somebody could send this invitation now: whoever lost a right gives it to nobody afterwards. */
export async function couldSend(
  tx: Sql,
  senderId: string,
  { serverId, permissions, endsAtMs: afterMs }: Pick<Share, 'serverId' | 'permissions' | 'endsAtMs'>,
): Promise<boolean> {
  const sender = await readPerson(tx, senderId)
  const access = sender && (await accessOf(tx, { userId: senderId, isAdmin: sender.is_admin }, serverId))
  if (!access?.permissions.includes('user.invite')) return false
  const { permissions: own, endsAtMs: ownEndMs } = access
  const isMore = isEndRefused({ own, ownEndMs, permissions, beforeMs: undefined, afterMs })
  return !isMore && permissions.every((key) => own.includes(key))
}
