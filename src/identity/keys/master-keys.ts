import { hkdfSync } from 'node:crypto'
import { parseSecretKeys } from '#contracts/sealed-secret.ts'
import type { SecretKey } from '#contracts/sealed-secret.ts'

/**
 * The deployment's own keys, the one that seals first: those of SECRETS_KEY, and last the one that PAYLOAD_SECRET gives, with
 * which an installation without SECRETS_KEY began.
 */
export const masterKeys = (settings: {
  readonly secretsKey: string | undefined
  readonly sealSecret: string
}): [SecretKey, ...SecretKey[]] => {
  const derived = {
    id: 'payload',
    key: new Uint8Array(hkdfSync('sha256', settings.sealSecret, '', 'bakter identity master key 1', 32)),
  }
  const [first, ...others] = parseSecretKeys(settings.secretsKey)
  return first ? [first, ...others, derived] : [derived]
}
