import { randomBytes } from 'node:crypto'
import type { FieldHook } from 'payload'
import { parseSecretKeys, sealSecret } from '#platform/sealed-secret.ts'
import type { SecretKey } from '#platform/sealed-secret.ts'
import { cmsSettings } from '../start/settings.ts'

/** A secret that exists once in the installation, so it is not bound to a row. */
export const seal = (plain: string, key: SecretKey): string =>
  sealSecret(Buffer.from(plain), { key, place: null, nonce: new Uint8Array(randomBytes(12)) })

/** A secret is stored sealed or not at all; an empty input keeps the stored one. */
export const sealEntered: FieldHook = ({ value, previousValue }) => {
  if (typeof value !== 'string' || value === '' || value === previousValue) return previousValue
  const [key] = parseSecretKeys(cmsSettings().secretsKey)
  if (!key) throw new Error('SECRETS_KEY is not set: a secret cannot be stored without its key')
  return seal(value, key)
}
