import { deriveKey } from '#platform/seal.ts'
import { parseSecretKeys } from '#platform/sealed-secret.ts'
import type { SecretKey } from '#platform/sealed-secret.ts'

/**
 * The deployment's master keys; the first one seals. Those of SECRETS_KEY come first, then the one derived from
 * PAYLOAD_SECRET, which installations without SECRETS_KEY started with.
 */
export const masterKeys = (settings: {
  readonly secretsKey: string | undefined
  readonly sealSecret: string
}): [SecretKey, ...SecretKey[]] => {
  const derived = { id: 'payload', key: deriveKey(settings.sealSecret, 'bakter identity master key 1') }
  const [first, ...others] = parseSecretKeys(settings.secretsKey)
  return first ? [first, ...others, derived] : [derived]
}
