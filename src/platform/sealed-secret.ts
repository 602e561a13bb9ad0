import { KEY_BYTES, NONCE_BYTES, SealBroken, TAG_BYTES, seal, unseal } from './seal.ts'

/** An AES-256-GCM key of 32 bytes, and the id by which sealed values name it. */
export type SecretKey = { readonly id: string; readonly key: Uint8Array }

/** `<id>:<base64 of 32 bytes>`, several separated by commas. The first seals, all of them open. */
export const SECRET_KEYS_PATTERN = /^[^:,]+:[A-Za-z0-9+/]{43}=(,[^:,]+:[A-Za-z0-9+/]{43}=)*$/

const TEXT_AT = NONCE_BYTES + TAG_BYTES

/** The keys of a setting such as SECRETS_KEY; the first one seals. Invalid entries are skipped. */
export const parseSecretKeys = (text: string | undefined): SecretKey[] =>
  (text ?? '').split(',').flatMap((entry) => {
    if (!SECRET_KEYS_PATTERN.test(entry)) return []
    const at = entry.indexOf(':')
    const key = new Uint8Array(Buffer.from(entry.slice(at + 1), 'base64'))
    return key.length === KEY_BYTES ? [{ id: entry.slice(0, at), key }] : []
  })

/** Id of the key under which a value is sealed, or undefined for a text that is not a sealed value. */
export const keyIdOf = (sealed: string): string | undefined => /^(?:bound|sealed):([^:]+):/.exec(sealed)?.[1]

const labelOf = (keyId: string, place: string): string => `${keyId}|${place}`

/** The stored form `bound:` holds its tag after the text. */
const tagLast = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, NONCE_BYTES), bytes.subarray(TEXT_AT), bytes.subarray(NONCE_BYTES, TEXT_AT)])

const tagFirst = (bytes: Buffer): Buffer =>
  Buffer.concat([
    bytes.subarray(0, NONCE_BYTES),
    bytes.subarray(-TAG_BYTES),
    bytes.subarray(NONCE_BYTES, Math.max(NONCE_BYTES, bytes.length - TAG_BYTES)),
  ])

/**
 * Seals bytes with AES-256-GCM. `place` names table, column and row: the value opens nowhere else. `nonce` has 12 bytes
 * and must never be reused. The result is `bound:<key id>:<base64 of nonce, text and tag>`. Without a place, for a
 * value that exists only once, it is `sealed:<key id>:<base64 of nonce, tag and text>`.
 */
export const sealSecret = (
  plain: Uint8Array,
  { key, place, nonce }: { key: SecretKey; place: string | null; nonce: Uint8Array },
): string => {
  if (place === null) return `sealed:${key.id}:${seal(plain, { key: key.key, nonce }).toString('base64')}`
  const sealed = seal(plain, { key: key.key, label: labelOf(key.id, place), nonce })
  return `bound:${key.id}:${tagLast(sealed).toString('base64')}`
}

/** Opens a text made by `sealSecret` for this place, under one of `keys`. Throws SealBroken. */
export const openSecret = (sealed: string, { keys, place }: { keys: readonly SecretKey[]; place: string }): Buffer => {
  const [, form, id, text] = /^(bound|sealed):([^:]+):([A-Za-z0-9+/]+=*)$/.exec(sealed) ?? []
  const key = keys.find((each) => each.id === id)
  if (form === undefined || id === undefined || text === undefined) throw new SealBroken('This is no sealed value.')
  if (!key) throw new SealBroken(`The key "${id}" of a sealed value is not there.`)
  const bytes = Buffer.from(text, 'base64')
  try {
    if (form === 'sealed') return unseal(bytes, { key: key.key })
    return unseal(tagFirst(bytes), { key: key.key, label: labelOf(id, place) })
  } catch (cause) {
    throw new SealBroken(`A sealed value of ${place.split(':')[0]} does not open.`, { cause })
  }
}
