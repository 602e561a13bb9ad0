import * as z from 'zod'
import { PERMISSIONS } from './permissions.ts'

export const CONSOLE_TOKEN_SECONDS = 600
/** How far the clocks of control plane and node may differ. */
export const TOKEN_SKEW_SECONDS = 60

/** Claims of the token that opens a per-server socket: EdDSA, header `kid`. The audience is the node's id. */
export const ConsoleTokenClaims = z.object({
  iss: z.literal('bakter-control-plane'),
  aud: z.uuid(),
  sub: z.uuid(),
  /** The session that asked for the token; null when no session did. */
  sid: z.uuid().nullable(),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
  purpose: z.literal('console'),
  server: z.uuid(),
  permissions: z.array(z.enum(PERMISSIONS)),
})
export type ConsoleTokenClaims = z.infer<typeof ConsoleTokenClaims>

/** Long enough to look whether the node answers, and to begin; what has begun goes on after it. */
export const ARCHIVE_TOKEN_SECONDS = 180
/** Header `typ` of the token that opens an archive: no other token of the same key has it. */
export const ARCHIVE_TOKEN_TYPE = 'archive+jwt'

/** Claims of the token that takes the folder of an expired server from its node, once: EdDSA, headers `kid` and `typ`. */
export const ArchiveTokenClaims = ConsoleTokenClaims.omit({ permissions: true }).extend({
  purpose: z.literal('archive'),
})
export type ArchiveTokenClaims = z.infer<typeof ArchiveTokenClaims>
