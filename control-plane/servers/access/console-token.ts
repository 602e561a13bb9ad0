import { SignJWT } from 'jose'
import type { ConsoleAccess } from '#contracts/http/server.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { CONSOLE_TOKEN_SECONDS, ConsoleTokenClaims } from '#contracts/panel/token.ts'
import type { Context } from '../../platform/context.ts'
import { readComputer } from '../../cms/cms-reader.ts'
import { findNode } from '../store/node-store.ts'
import type { ConsoleKey } from './console-keys.ts'
import { accessOf } from './server-access.ts'
import type * as z from 'zod'

export type ConsoleRefusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'SERVER_SUSPENDED' | 'FORBIDDEN'
  readonly permission?: string
}
export type ConsoleDeps = Context & { consoleKey: ConsoleKey }

/** The path of a server's socket on its node's agent. */
export const consoleSocketPath = (serverId: string): string => `/servers/${serverId}/ws`

/**
 * The token for a server's socket, valid for 10 minutes, and the socket's address. Refuses servers that the caller may
 * not see, and a suspended server to all but administrators (invariant S-5).
 */
export async function consoleToken(
  deps: ConsoleDeps,
  request: {
    caller: Pick<Caller, 'userId' | 'sessionId' | 'isAdmin'> & Partial<Pick<Caller, 'address'>>
    serverId: string
  },
): Promise<{ ok: true; value: z.infer<typeof ConsoleAccess> } | ConsoleRefusal> {
  const access = await accessOf(deps.db, request.caller, request.serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const { server, permissions, isStaff } = access
  if (server.suspended && !isStaff) return { ok: false, code: 'SERVER_SUSPENDED' }
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/ws']
  if (!permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const node = await findNode(deps.db, server.nodeId)
  const computer = node && (await readComputer(deps.db, node.computerId))
  if (!node || !computer) return { ok: false, code: 'NOT_FOUND' }
  const issuedAt = Math.floor(deps.clock.now() / 1_000)
  const claims = ConsoleTokenClaims.parse({
    iss: 'bakter-control-plane',
    aud: node.id,
    sub: request.caller.userId,
    sid: request.caller.sessionId,
    jti: deps.ids.next(),
    iat: issuedAt,
    exp: issuedAt + CONSOLE_TOKEN_SECONDS,
    purpose: 'console',
    server: server.id,
    permissions: [...permissions],
    address: request.caller.address?.slice(0, 64),
  })
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'console+jwt', kid: deps.consoleKey.kid })
    .sign(deps.consoleKey.privateKey)
  return { ok: true, value: { token, socket: consoleSocketPath(server.id), url: computer.url } }
}
