import * as z from 'zod'
import { FileCredential, FileLoginProof } from './file-login.ts'
import { Id } from '../primitives.ts'

/** A node asks at most this many open connections in one message. */
export const MAX_CHECKED_LOGINS = 500
/** How often a node asks about its open connections: revoked access ends within 5 s. */
export const LOGIN_CHECK_MS = 2_500

/** Somebody signs in at a node, as `username.identifier`. */
export const LoginRequest = z.object({
  username: z.string().min(1).max(254),
  /** The suffix of the name: which server. */
  identifier: z.string().regex(/^[a-z0-9]{8}$/),
  address: z.string().max(64),
  proof: FileLoginProof,
})
export type LoginRequest = z.infer<typeof LoginRequest>

/** `no permission`: without `file.sftp`. `away`: nobody can decide now. */
export const LOGIN_REFUSALS = ['refused', 'app password', 'no permission', 'too many', 'away'] as const

/** Keys of `contracts/panel/permissions.ts`; a node of another release ignores those that it does not know. */
export const GrantedPermissions = z.array(z.string().max(64))

const Granted = z.object({
  userId: Id,
  serverId: Id,
  permissions: GrantedPermissions,
  credential: FileCredential,
})

export const LoginAnswer = z.discriminatedUnion('ok', [
  Granted.extend({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), why: z.enum(LOGIN_REFUSALS) }),
])
export type LoginAnswer = z.infer<typeof LoginAnswer>

export const OpenLogin = Granted.omit({ permissions: true })
export type OpenLogin = z.infer<typeof OpenLogin>
