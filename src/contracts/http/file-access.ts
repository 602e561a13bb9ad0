import * as z from 'zod'
import { Id, Instant } from '../primitives.ts'
import { PasskeyName, ProofRequest } from './second-factor.ts'

/** The most keys, and the most app passwords, of one account. */
export const MAX_FILE_KEYS = 20

export const SshKeyEntry = z.object({
  id: Id,
  name: z.string(),
  algorithm: z.string(),
  /** `SHA256:…`, as every client shows it. */
  fingerprint: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type SshKeyEntry = z.infer<typeof SshKeyEntry>

export const AppPasswordEntry = z.object({
  id: Id,
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type AppPasswordEntry = z.infer<typeof AppPasswordEntry>

/** The keys and passwords that open the files of a person's servers by SFTP, besides the account's password. */
export const FileAccess = z.object({
  keys: z.array(SshKeyEntry),
  appPasswords: z.array(AppPasswordEntry),
  /** The account has a second factor: its own password does not open SFTP. */
  needsAppPassword: z.boolean(),
})
export type FileAccess = z.infer<typeof FileAccess>

export const SshKeyRequest = ProofRequest.extend({
  name: PasskeyName,
  /** One line of a `.pub` file. */
  publicKey: z.string().trim().min(1).max(4_000),
})
export type SshKeyRequest = z.infer<typeof SshKeyRequest>

export const AppPasswordRequest = ProofRequest.extend({ name: PasskeyName })
export type AppPasswordRequest = z.infer<typeof AppPasswordRequest>
/** Shown once. */
export const NewAppPassword = z.object({ password: z.string() })

export const FileAccessPath = z.object({ id: Id })
