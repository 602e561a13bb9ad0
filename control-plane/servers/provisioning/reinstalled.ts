import type { Context } from '../../platform/context.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { FinishedCommand } from '../store/command-store.ts'
import { readServers } from '../store/server-store.ts'

/**
 * Tells the owner that a reinstalled server is ready; a failure is in the log of the server, whose console says why. The
 * server is not locked: its command is held by now, and whoever supersedes commands holds the server first.
 */
export async function tellReinstalled(
  tx: Sql,
  deps: Pick<Context, 'ids' | 'clock'>,
  { command, ok }: { command: FinishedCommand; ok: boolean },
): Promise<void> {
  const { serverId, requestId } = command
  const [server] = await readServers(tx, 's.id = $1', [serverId])
  if (!server) return
  const { ownerId: userId, name } = server
  if (ok) {
    await notifyUser(tx, deps, { userId, text: 'server.installed', data: { sid: serverId, name }, requestId })
    return
  }
  const type = 'server:reinstall.failed'
  await recordActivity(tx, deps, { userId, serverId, type, status: 'failure', doneBy: 'server' })
}
