import type { SigningKeys } from '../context/signing-keys.ts'

/** A token whose signature, kind, issuer and audience have been verified, with the id of its key. */
export type VerifiedToken = {
  readonly subject: { readonly userId: string; readonly sessionId: string }
  readonly kid: string
  readonly expiresAtMs: number
}

/** Twice the number of people signed in at busy times; each takes about half a KiB. */
const MAX_TOKENS = 10_000

const memories = new WeakMap<object, Map<string, VerifiedToken>>()

// One cache per key set: a token verified by one set may be unknown to another.
const memoryOf = (keys: Pick<SigningKeys, 'verifying'>): Map<string, VerifiedToken> => {
  const known = memories.get(keys)
  if (known !== undefined) return known
  const made = new Map<string, VerifiedToken>()
  memories.set(keys, made)
  return made
}

/**
 * The cached verification of a token, because checking a signature costs more than all other work of a small call.
 * Undefined once the token has expired or its key is no longer valid. Whether the session is active is never cached.
 */
export const recallToken = async (
  token: string,
  { nowMs, keys }: { nowMs: number; keys: Pick<SigningKeys, 'verifying'> },
): Promise<VerifiedToken['subject'] | undefined> => {
  const memory = memoryOf(keys)
  const found = memory.get(token)
  if (found === undefined) return undefined
  if (nowMs < found.expiresAtMs && (await keys.verifying(found.kid)) !== null) return found.subject
  memory.delete(token)
  return undefined
}

/** Caches a token until it expires, or until newer ones displace it. */
export const rememberToken = (
  token: string,
  verified: VerifiedToken,
  { keys, maxTokens = MAX_TOKENS }: { keys: Pick<SigningKeys, 'verifying'>; maxTokens?: number },
): void => {
  const memory = memoryOf(keys)
  for (const oldest of memory.keys()) {
    if (memory.size < maxTokens) break
    memory.delete(oldest)
  }
  memory.set(token, verified)
}
