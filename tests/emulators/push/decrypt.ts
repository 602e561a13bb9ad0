import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'

/** The browser's private part of its subscription: nobody else can read its pushes. */
export type BrowserKeys = { readonly privateKey: Buffer; readonly auth: Buffer }

const hkdf = (salt: Uint8Array, key: Uint8Array, info: Uint8Array, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

/**
 * Decrypts a push as a browser does (RFC 8291 section 3, RFC 8188 section 2). Throws when it was encrypted for another.
 */
export function decryptPush(body: Uint8Array, { privateKey, auth }: BrowserKeys): string {
  const bytes = Buffer.from(body)
  const salt = bytes.subarray(0, 16)
  const keyLength = bytes.readUInt8(20)
  const sender = bytes.subarray(21, 21 + keyLength)
  const sealed = bytes.subarray(21 + keyLength)
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
  const material = hkdf(auth, own.computeSecret(sender), info, 32)
  const key = hkdf(salt, material, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(salt, material, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // One record: its text ends with the mark of the last record, and zeros.
  const end = padded.lastIndexOf(2)
  return padded.subarray(0, end).toString('utf8')
}
