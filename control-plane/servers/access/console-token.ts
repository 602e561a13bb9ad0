import type { ConsoleAccess } from '#contracts/http/server.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { agentPath } from '#contracts/panel/agent-paths.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { CONSOLE_TOKEN_SECONDS, ConsoleTokenClaims } from '#contracts/panel/token.ts'
import { whenUnrevoked } from './revoke-share.ts'
import { accessOf } from './server-access.ts'
import { nodeClaims, nodeOf, signNodeToken, type SigningDeps } from './sign-node-token.ts'
import type * as z from 'zod'

export type ConsoleRefusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'SERVER_SUSPENDED' | 'FORBIDDEN'
  readonly permission?: string
}

/**
 * The token for a server's socket, valid for 10 minutes, and the socket's address. Refuses servers that the caller may
 * not see, and a suspended server to all but administrators (invariant S-5).
 */
export async function consoleToken(
  deps: SigningDeps,
  request: {
    caller: Pick<Caller, 'userId' | 'sessionId' | 'isAdmin'> & Partial<Pick<Caller, 'address' | 'seesAs' | 'way'>>
    serverId: string
  },
): Promise<{ ok: true; value: z.infer<typeof ConsoleAccess> } | ConsoleRefusal> {
  const { caller, serverId } = request
  const askedAtMs = await whenUnrevoked(deps, { serverId, userId: caller.seesAs ?? caller.userId })
  const access = await accessOf(deps.db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const { server, permissions, isStaff } = access
  if (server.suspended && !isStaff) return { ok: false, code: 'SERVER_SUSPENDED' }
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/ws']
  if (!permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const node = await nodeOf(deps, server)
  if (!node) return { ok: false, code: 'NOT_FOUND' }
  const common = nodeClaims(deps, {
    caller,
    access,
    nodeId: node.id,
    seconds: CONSOLE_TOKEN_SECONDS,
    askedAtMs,
  })
  const claims = ConsoleTokenClaims.parse({ ...common, purpose: 'console', permissions: [...permissions] })
  const token = await signNodeToken(claims, 'console+jwt', deps.consoleKey)
  return { ok: true, value: { token, socket: agentPath('socket', server.id), url: node.url } }
}
