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
