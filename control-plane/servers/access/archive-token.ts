import { SignJWT } from 'jose'
import type * as z from 'zod'
import type { ArchiveAccess } from '#contracts/http/server.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { ARCHIVE_TOKEN_SECONDS, ARCHIVE_TOKEN_TYPE, ArchiveTokenClaims } from '#contracts/panel/token.ts'
import { archiveRefusal, type ArchiveRefusalCode } from '#domain/servers/archive.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import { readComputer } from '../../cms/cms-reader.ts'
import { findNode, isReachable } from '../store/node-store.ts'
import type { ConsoleKey } from './console-keys.ts'
import { accessOf } from './server-access.ts'

export type ArchiveRefusal = {
  readonly ok: false
  readonly code: ArchiveRefusalCode | 'NOT_FOUND' | 'NODE_UNREACHABLE'
}

/** The path of a server's archive on its node's agent. */
export const archivePath = (serverId: string): string => `/servers/${serverId}/archive`

/**
 * The single-use token for an expired server's archive, valid for minutes, and its address. The activity log records
 * the caller.
 */
export async function archiveToken(
  deps: Context & { consoleKey: ConsoleKey },
  { caller, serverId }: { caller: Pick<Caller, 'userId' | 'sessionId' | 'isAdmin' | 'address'>; serverId: string },
): Promise<{ ok: true; value: z.infer<typeof ArchiveAccess> } | ArchiveRefusal> {
  const access = await accessOf(deps.db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const { server } = access
  const nowMs = deps.clock.now()
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
  const node = await findNode(deps.db, server.nodeId)
  const computer = node && (await readComputer(deps.db, node.computerId))
  if (!node || !computer) return { ok: false, code: 'NOT_FOUND' }
  if (!(await isReachable(deps.db, node.id, nowMs))) return { ok: false, code: 'NODE_UNREACHABLE' }
  const issuedAt = Math.floor(nowMs / 1_000)
  const claims = ArchiveTokenClaims.parse({
    iss: 'bakter-control-plane',
    aud: node.id,
    sub: caller.userId,
    sid: caller.sessionId,
    jti: deps.ids.next(),
    iat: issuedAt,
    exp: issuedAt + ARCHIVE_TOKEN_SECONDS,
    purpose: 'archive',
    server: server.id,
  })
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: ARCHIVE_TOKEN_TYPE, kid: deps.consoleKey.kid })
    .sign(deps.consoleKey.privateKey)
  const { userId, address } = caller
  await recordActivity(deps.db, deps, { userId, address, serverId, type: 'server.archive', status: 'success' })
  const where = { url: computer.url, path: archivePath(server.id), fileName: `${server.identifier}.tar.gz` }
  return { ok: true, value: { ...where, token, expiresAt: new Date(claims.exp * 1_000).toISOString() } }
}
