import { createPublicKey, sign, type KeyObject } from 'node:crypto'

/** DER tags (X.690) in a request. */
const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  attributes: 0xa0,
  name: 0x82,
}
/** ecdsa-with-SHA256, extensionRequest and subjectAltName in encoded form. */
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')
const EXTENSION_REQUEST = Buffer.from('2a864886f70d01090e', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('551d11', 'hex')

const lengthOf = (bytes: number): Buffer => {
  if (bytes < 0x80) return Buffer.from([bytes])
  return bytes < 0x100 ? Buffer.from([0x81, bytes]) : Buffer.from([0x82, bytes >> 8, bytes & 0xff])
}

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

/**
 * The certificate request for one host name, in DER (RFC 2986): no subject, one subjectAltName, which is the only name
 * that authorities read, signed by ECDSA with SHA-256. `key` is a P-256 key.
 */
export const certificateRequest = (name: string, key: KeyObject): Buffer => {
  const names = der(TAG.sequence, der(TAG.name, Buffer.from(name, 'ascii')))
  const extension = der(TAG.sequence, der(TAG.oid, SUBJECT_ALT_NAME), der(TAG.octets, names))
  const attribute = der(TAG.sequence, der(TAG.oid, EXTENSION_REQUEST), der(TAG.set, der(TAG.sequence, extension)))
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const version = der(TAG.integer, Buffer.from([0]))
  const info = der(TAG.sequence, version, der(TAG.sequence), publicKey, der(TAG.attributes, attribute))
  const signature = sign('sha256', info, key)
  const algorithm = der(TAG.sequence, der(TAG.oid, ECDSA_SHA256))
  return der(TAG.sequence, info, algorithm, der(TAG.bits, Buffer.from([0]), signature))
}
