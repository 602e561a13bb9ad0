/** A key of AES-256-GCM, and the id by which sealed values name it. `key` has 32 bytes. */
export type SecretKey = { readonly id: string; readonly key: Uint8Array }

/** `<id>:<base64 of 32 bytes>`, several parted by commas. The first seals, all of them open. */
export const SECRET_KEYS_PATTERN = /^[^:,]+:[A-Za-z0-9+/]{43}=(,[^:,]+:[A-Za-z0-9+/]{43}=)*$/

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A sealed value does not open: its key is not there, or the value, its key or its place is another than when it was sealed. */
export class SealBroken extends Error {
  override name = 'SealBroken'
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const base64Of = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** The keys of a setting such as SECRETS_KEY, the one that seals first; an entry that cannot be one is left out. */
export const parseSecretKeys = (text: string | undefined): SecretKey[] =>
  (text ?? '').split(',').flatMap((entry) => {
    if (!SECRET_KEYS_PATTERN.test(entry)) return []
    const at = entry.indexOf(':')
    const key = bytesOf(entry.slice(at + 1))
    return key.length === KEY_BYTES ? [{ id: entry.slice(0, at), key }] : []
  })

const usable = (key: Uint8Array, usage: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, [usage])

const boundTo = (keyId: string, place: string) => new TextEncoder().encode(`${keyId}|${place}`)

/** Id of the key that a value is sealed under, or undefined for what is no sealed value. */
export const keyIdOf = (sealed: string): string | undefined => /^(?:bound|sealed):([^:]+):/.exec(sealed)?.[1]

/**
 * Seals bytes with AES-256-GCM. `place` names table, column and row: the value opens nowhere else. `nonce` has 12 bytes that
 * were used for nothing else. The result is `bound:<key id>:<base64 of nonce, text and tag>`. Without a place, for a value
 * that has only one, it is `sealed:<key id>:<base64 of nonce, tag and text>`.
 */
export const sealSecret = async (
  plain: Uint8Array,
  { key, place, nonce }: { key: SecretKey; place: string | null; nonce: Uint8Array },
): Promise<string> => {
  const iv = new Uint8Array(nonce)
  const algorithm = {
    name: 'AES-GCM',
    iv,
    ...(place === null ? {} : { additionalData: boundTo(key.id, place) }),
  }
  const imported = await usable(key.key, 'encrypt')
  const body = new Uint8Array(await crypto.subtle.encrypt(algorithm, imported, new Uint8Array(plain)))
  if (place !== null) return `bound:${key.id}:${base64Of(new Uint8Array([...iv, ...body]))}`
  const [text, tag] = [body.subarray(0, -TAG_BYTES), body.subarray(-TAG_BYTES)]
  return `sealed:${key.id}:${base64Of(new Uint8Array([...iv, ...tag, ...text]))}`
}

// Values of the form `sealed:` are bound to no place, and hold their tag before the text.
const partsOf = (form: string, bytes: Uint8Array) => {
  const body = bytes.subarray(NONCE_BYTES)
  const iv = new Uint8Array(bytes.subarray(0, NONCE_BYTES))
  if (form === 'bound') return { iv, body: new Uint8Array(body) }
  return { iv, body: new Uint8Array([...body.subarray(TAG_BYTES), ...body.subarray(0, TAG_BYTES)]) }
}

/** Opens what `sealSecret` made for this place, under one of `keys`. Throws SealBroken. */
export const openSecret = async (
  sealed: string,
  { keys, place }: { keys: readonly SecretKey[]; place: string },
): Promise<Uint8Array> => {
  const [, form, id, text] = /^(bound|sealed):([^:]+):([A-Za-z0-9+/]+=*)$/.exec(sealed) ?? []
  const key = keys.find((each) => each.id === id)
  if (form === undefined || id === undefined || text === undefined) throw new SealBroken('This is no sealed value.')
  if (!key) throw new SealBroken(`The key "${id}" of a sealed value is not there.`)
  const { iv, body } = partsOf(form, bytesOf(text))
  const algorithm = { name: 'AES-GCM', iv, ...(form === 'bound' ? { additionalData: boundTo(id, place) } : {}) }
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, await usable(key.key, 'decrypt'), body))
  } catch (cause) {
    throw new SealBroken(`A sealed value of ${place.split(':')[0]} does not open.`, { cause })
  }
}
