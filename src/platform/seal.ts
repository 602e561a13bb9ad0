import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

export const KEY_BYTES = 32
export const NONCE_BYTES = 12
export const TAG_BYTES = 16

/** A sealed value does not open: its key is missing, or the value, key or place differs from those at sealing. */
export class SealBroken extends Error {
  override name = 'SealBroken'
}

/** An AES-256 key from a secret of any length. `purpose` separates the keys derived from one secret. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))

export type SealWith = {
  /** 32 bytes. */
  readonly key: Uint8Array
  /** Bound to the sealed bytes: only the same label opens them. */
  readonly label?: string | undefined
}

/** Seals bytes with AES-256-GCM. `nonce` has 12 bytes and must never be reused. Layout: nonce 12, tag 16, text. */
export const seal = (plain: Uint8Array, { key, label, nonce }: SealWith & { nonce: Uint8Array }): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  if (label !== undefined) cipher.setAAD(Buffer.from(label))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Opens bytes made by `seal`; throws SealBroken when the key, the label or a byte differs. */
export const unseal = (sealed: Uint8Array, { key, label }: SealWith): Buffer => {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    if (label !== undefined) decipher.setAAD(Buffer.from(label))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch (cause) {
    throw new SealBroken('A sealed value does not open.', { cause })
  }
}
