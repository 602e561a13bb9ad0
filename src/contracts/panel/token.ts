import * as z from 'zod'
import { InnerPath } from './checked-path.ts'
import { PERMISSIONS } from './permissions.ts'

export const CONSOLE_TOKEN_SECONDS = 600
/** The tolerated clock difference between control plane and node. */
export const TOKEN_SKEW_SECONDS = 60

/** Claims of the token that opens a per-server socket: EdDSA, header `kid`. The audience is the node's id. */
export const ConsoleTokenClaims = z.object({
  iss: z.literal('bakter-control-plane'),
  aud: z.uuid(),
  sub: z.uuid(),
  /** The session that requested the token; null without one. */
  sid: z.uuid().nullable(),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
  purpose: z.literal('console'),
  server: z.uuid(),
  permissions: z.array(z.enum(PERMISSIONS)),
  /** The address of the person for the security log; tokens of the previous release have none. */
  address: z.string().max(64).default(''),
  /** The holder's program asked for it with a token of the API; absent for the panel, and in tokens of the previous release. */
  way: z.literal('api').optional(),
  /** Its holder looks at the server as a collaborator, and changes nothing. */
  seesAs: z.literal(true).optional(),
  /** The collaborator as whom it is seen: the token ends with a change of their share too. Tokens of the previous release do not name them. */
  seen: z.uuid().optional(),
})
export type ConsoleTokenClaims = z.infer<typeof ConsoleTokenClaims>

/** Long enough to check whether the node responds, and to begin; a running download continues after it. */
export const ARCHIVE_TOKEN_SECONDS = 180
/** Header `typ` of the archive token: no other token of the same key has it. */
export const ARCHIVE_TOKEN_TYPE = 'archive+jwt'

/** Claims of the single-use token for an expired server's archive: EdDSA, headers `kid` and `typ`. */
export const ArchiveTokenClaims = ConsoleTokenClaims.omit({ permissions: true }).extend({
  purpose: z.literal('archive'),
})
export type ArchiveTokenClaims = z.infer<typeof ArchiveTokenClaims>

export const FILES_TOKEN_SECONDS = 600
export const FILES_TOKEN_TYPE = 'files+jwt'

/** Claims of the token for the calls about a server's files: EdDSA, headers `kid` and `typ`. */
export const FilesTokenClaims = ConsoleTokenClaims.extend({
  purpose: z.literal('files'),
  /** The holder's username, for what others see of their work; tokens of the previous release have none. */
  name: z.string().max(64).default(''),
})
export type FilesTokenClaims = z.infer<typeof FilesTokenClaims>

/** A link may be opened a while after it was made; a running download continues after it. */
export const DOWNLOAD_TOKEN_SECONDS = 900
export const DOWNLOAD_TOKEN_TYPE = 'download+jwt'

/** Claims of the single-use token that downloads one file or folder. */
export const DownloadTokenClaims = ConsoleTokenClaims.omit({ permissions: true }).extend({
  purpose: z.literal('download'),
  path: InnerPath,
})
export type DownloadTokenClaims = z.infer<typeof DownloadTokenClaims>

export const PORTS_TOKEN_SECONDS = 600
export const PORTS_TOKEN_TYPE = 'ports+jwt'

/** Claims of the token that asks what listens on a server's ports. */
export const PortsTokenClaims = ConsoleTokenClaims.extend({ purpose: z.literal('ports') })
export type PortsTokenClaims = z.infer<typeof PortsTokenClaims>

/** The longest life of any token that a node checks: a revocation counts for as long as one from before it could still be used. */
export const LONGEST_TOKEN_SECONDS = Math.max(
  CONSOLE_TOKEN_SECONDS,
  ARCHIVE_TOKEN_SECONDS,
  FILES_TOKEN_SECONDS,
  DOWNLOAD_TOKEN_SECONDS,
  PORTS_TOKEN_SECONDS,
)
