import * as z from 'zod'
import { Id } from '../primitives.ts'

/** The proof that somebody shows at a node. A key counts only after the node has checked its signature. */
export const FileLoginProof = z.union([
  z.object({ password: z.string().min(1).max(256) }),
  z.object({ publicKey: z.string().min(1).max(4_000) }),
])
export type FileLoginProof = z.infer<typeof FileLoginProof>

/** `POST /internal/file-login` on the site's private listener, with the internal secret. */
export const FileLoginRequest = z.object({
  username: z.string().min(1).max(254),
  address: z.string().max(64),
  proof: FileLoginProof,
})
export type FileLoginRequest = z.infer<typeof FileLoginRequest>

/** The proof that opened a session: it ends when this is no longer valid. `id` is that of a key or an app password. */
export const FileCredential = z.object({
  kind: z.enum(['password', 'ssh key', 'app password']),
  id: Id.nullable(),
  sinceMs: z.int(),
})
export type FileCredential = z.infer<typeof FileCredential>

/** `app password`: the account has a second factor, so that its own password is not enough. */
export const FILE_LOGIN_REFUSALS = ['refused', 'app password', 'too many'] as const

export const FileLoginAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), userId: Id, isAdmin: z.boolean(), credential: FileCredential }),
  /** `named`: the account whose password was wrong, for the log of the server; a site of the previous release does not name it. */
  z.object({ ok: z.literal(false), why: z.enum(FILE_LOGIN_REFUSALS), named: Id.optional() }),
])
export type FileLoginAnswer = z.infer<typeof FileLoginAnswer>

/** `POST /internal/file-logins/check`: which of these are still valid, in their order; null is not. */
export const FileLoginsCheck = z.object({
  logins: z.array(z.object({ userId: Id, credential: FileCredential })).max(1_000),
})
export type FileLoginsCheck = z.infer<typeof FileLoginsCheck>
export const CheckedFileLogins = z.object({ grants: z.array(z.object({ isAdmin: z.boolean() }).nullable()) })
export type CheckedFileLogins = z.infer<typeof CheckedFileLogins>
