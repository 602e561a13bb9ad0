import { deriveKey } from '#platform/seal.ts'
import { parseSecretKeys } from '#platform/sealed-secret.ts'
import type { SecretKey } from '#platform/sealed-secret.ts'

/**
 * The deployment's own keys, the one that seals first: those of SECRETS_KEY, and last the one that PAYLOAD_SECRET gives, with
 * which an installation without SECRETS_KEY began.
 */
export const masterKeys = (settings: {
  readonly secretsKey: string | undefined
  readonly sealSecret: string
}): [SecretKey, ...SecretKey[]] => {
  const derived = { id: 'payload', key: deriveKey(settings.sealSecret, 'bakter identity master key 1') }
  const [first, ...others] = parseSecretKeys(settings.secretsKey)
  return first ? [first, ...others, derived] : [derived]
}
