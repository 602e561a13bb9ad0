import type * as z from 'zod'
import type { ArchiveAccess } from '#contracts/http/server.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { agentPath } from '#contracts/panel/agent-paths.ts'
import { ARCHIVE_TOKEN_SECONDS, ARCHIVE_TOKEN_TYPE, ArchiveTokenClaims } from '#contracts/panel/token.ts'
import { archiveRefusal, type ArchiveRefusalCode } from '#domain/servers/archive.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { isReachable } from '../store/node-store.ts'
import { accessOf } from './server-access.ts'
import { nodeClaims, nodeOf, signNodeToken, type SigningDeps } from './sign-node-token.ts'

export type ArchiveRefusal = {
  readonly ok: false
  readonly code: ArchiveRefusalCode | 'NOT_FOUND' | 'NODE_UNREACHABLE'
}

/**
 * The single-use token for an expired server's archive, valid for minutes, and its address. The activity log records
 * the caller.
 */
export async function archiveToken(
  deps: SigningDeps,
  {
    caller,
    serverId,
  }: { caller: Pick<Caller, 'userId' | 'sessionId' | 'isAdmin' | 'address' | 'way'>; serverId: string },
): Promise<{ ok: true; value: z.infer<typeof ArchiveAccess> } | ArchiveRefusal> {
  const nowMs = deps.clock.now()
  const access = await accessOf(deps.db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const { server } = access
  const refusal = archiveRefusal({
    owns: server.ownerId === caller.userId,
    isAdmin: access.isStaff,
    state: server.state,
    deleting: server.desired === 'deleted',
    suspended: server.suspended,
    expiresAtMs: server.expiresAtMs,
    nowMs,
  })
  if (refusal) return { ok: false, code: refusal }
  const node = await nodeOf(deps, server)
  if (!node) return { ok: false, code: 'NOT_FOUND' }
  if (!(await isReachable(deps.db, node.id, nowMs))) return { ok: false, code: 'NODE_UNREACHABLE' }
  const common = nodeClaims(deps, {
    caller,
    access,
    nodeId: node.id,
    seconds: ARCHIVE_TOKEN_SECONDS,
    askedAtMs: nowMs,
  })
  const claims = ArchiveTokenClaims.parse({ ...common, purpose: 'archive' })
  const token = await signNodeToken(claims, ARCHIVE_TOKEN_TYPE, deps.consoleKey)
  const { userId, address, way } = caller
  await recordActivity(deps.db, deps, { userId, address, way, serverId, type: 'server.archive', status: 'success' })
  const where = { url: node.url, path: agentPath('archive', server.id), fileName: `${server.identifier}.tar.gz` }
  return { ok: true, value: { ...where, token, expiresAt: new Date(claims.exp * 1_000).toISOString() } }
}
