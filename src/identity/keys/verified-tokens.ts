import type { SigningKeys } from '../context/signing-keys.ts'

/** A token whose signature, kind, issuer and audience were found right, under the key of this id. */
export type VerifiedToken = {
  readonly subject: { readonly userId: string; readonly sessionId: string }
  readonly kid: string
  readonly expiresAtMs: number
}

/** Twice as many as people who are signed in at a busy moment; each takes about half a KiB. */
const MAX_TOKENS = 10_000

const memories = new WeakMap<object, Map<string, VerifiedToken>>()

// One memory for each set of keys: what one of them has verified, another may not know.
const memoryOf = (keys: Pick<SigningKeys, 'verifying'>): Map<string, VerifiedToken> => {
  const known = memories.get(keys)
  if (known !== undefined) return known
  const made = new Map<string, VerifiedToken>()
  memories.set(keys, made)
  return made
}

/**
 * What is remembered of a token, so that its signature is checked once: that costs more than everything else that is done for a small call.
 * Undefined once the token has ended or its key is not believed any more. Whether the session lives is not remembered.
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

/** Remembers a token until it ends, or until so many others came after it that memory has to stay bounded. */
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
