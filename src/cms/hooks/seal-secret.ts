import { createCipheriv, randomBytes } from 'node:crypto'
import type { FieldHook } from 'payload'
import { cmsSettings } from '../settings.ts'

const keyBytes = 32
const nonceBytes = 12

/** Reads the key ring entry `<id>:<base64 of 32 bytes>`; undefined when it is missing or malformed. */
export const parseSecretsKey = (text: string | undefined): { id: string; key: Buffer } | undefined => {
  const [id, encoded] = text?.split(':') ?? []
  if (!id || !encoded) return undefined
  const key = Buffer.from(encoded, 'base64')
  return key.length === keyBytes ? { id, key } : undefined
}

/** AES-256-GCM; the result is `sealed:<key id>:<base64 of nonce, tag and text>`. */
export const seal = (plain: string, { id, key }: { id: string; key: Buffer }): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `sealed:${id}:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')}`
}

/** A secret is stored sealed or not at all; an empty input keeps the stored one. */
export const sealSecret: FieldHook = ({ value, previousValue }) => {
  if (typeof value !== 'string' || value === '' || value === previousValue) return previousValue
  const key = parseSecretsKey(cmsSettings().secretsKey)
  if (!key) throw new Error('SECRETS_KEY is not set: a secret cannot be stored without its key')
  return seal(value, key)
}
