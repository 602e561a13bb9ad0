import type { NodeAccess, NodeTokenRequest } from '#contracts/http/server.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { agentPath } from '#contracts/panel/agent-paths.ts'
import { PERMISSION_OF_TOKEN } from '#contracts/panel/permissions.ts'
import {
  DOWNLOAD_TOKEN_SECONDS,
  DOWNLOAD_TOKEN_TYPE,
  DownloadTokenClaims,
  FILES_TOKEN_SECONDS,
  FILES_TOKEN_TYPE,
  FilesTokenClaims,
  PORTS_TOKEN_SECONDS,
  PORTS_TOKEN_TYPE,
  PortsTokenClaims,
} from '#contracts/panel/token.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { isReachable } from '../store/node-store.ts'
import { whenUnrevoked } from './revoke-share.ts'
import { accessOf } from './server-access.ts'
import { nodeClaims, nodeOf, signNodeToken, type SigningDeps } from './sign-node-token.ts'

export type FilesRefusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'FORBIDDEN' | 'NODE_UNREACHABLE'
  readonly permission?: string
}

const KINDS = {
  files: { seconds: FILES_TOKEN_SECONDS, type: FILES_TOKEN_TYPE, schema: FilesTokenClaims },
  download: { seconds: DOWNLOAD_TOKEN_SECONDS, type: DOWNLOAD_TOKEN_TYPE, schema: DownloadTokenClaims },
  ports: { seconds: PORTS_TOKEN_SECONDS, type: PORTS_TOKEN_TYPE, schema: PortsTokenClaims },
} as const

/** Longer names are shown cut. */
const MAX_NAME = 64

/**
 * A token for the files of a server: for the calls about them with the caller's permissions, or for the download of one file
 * or folder, once, or for what listens on its ports. Servers that are expired or suspended get one too: their node lets nobody change anything.
 */
export async function filesToken(
  deps: SigningDeps,
  { caller, serverId, request }: { caller: Caller; serverId: string; request: NodeTokenRequest },
): Promise<{ ok: true; value: NodeAccess } | FilesRefusal> {
  const askedAtMs = await whenUnrevoked(deps, { serverId, userId: caller.seesAs ?? caller.userId })
  const access = await accessOf(deps.db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const { server, permissions } = access
  const permission = PERMISSION_OF_TOKEN[request.purpose]
  if (!permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const node = await nodeOf(deps, server)
  if (!node) return { ok: false, code: 'NOT_FOUND' }
  if (!(await isReachable(deps.db, node.id, deps.clock.now()))) return { ok: false, code: 'NODE_UNREACHABLE' }
  const { seconds, type, schema } = KINDS[request.purpose]
  const common = nodeClaims(deps, { caller, access, nodeId: node.id, seconds, askedAtMs })
  const name = ((await readPerson(deps.db, caller.userId))?.username ?? '').slice(0, MAX_NAME)
  // Each schema keeps what its token may say.
  const claims = schema.parse({ ...common, ...request, permissions: [...permissions], name })
  const token = await signNodeToken(claims, type, deps.consoleKey)
  const expiresAt = new Date(claims.exp * 1_000).toISOString()
  return { ok: true, value: { url: node.url, path: agentPath(request.purpose, server.id), token, expiresAt } }
}
