import { X509Certificate } from 'node:crypto'
import type { AcmeClient } from './acme-client.ts'
import { RenewalInfo } from './wire.ts'

/** The oid of authorityKeyIdentifier, and the octet string of an extension. */
const AUTHORITY_KEY = Buffer.from('0603551d23', 'hex')
const OCTETS = 0x04
const SEQUENCE = 0x30
const KEY_IDENTIFIER = 0x80

/** The issuer's key identifier from a certificate's DER; undefined if it is not in its usual short form. */
const issuerKey = (raw: Buffer): Buffer | undefined => {
  const at = raw.indexOf(AUTHORITY_KEY)
  if (at < 0) return undefined
  const value = raw.subarray(at + AUTHORITY_KEY.length)
  const length = value[5] ?? 0
  const isUsual = value[0] === OCTETS && value[2] === SEQUENCE && value[4] === KEY_IDENTIFIER && length < 0x80
  return isUsual ? value.subarray(6, 6 + length) : undefined
}

/** The certificate's identifier at authorities (RFC 9773 section 4.1); undefined if it names no issuer key. */
export const certificateId = (pem: string): string | undefined => {
  const { raw, serialNumber } = new X509Certificate(pem)
  const key = issuerKey(raw)
  if (key === undefined) return undefined
  const even = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`
  const bytes = Buffer.from(even, 'hex')
  // An integer of DER whose first bit is set has a zero before it.
  const serial = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
  return `${key.toString('base64url')}.${serial.toString('base64url')}`
}

/**
 * The renewal time suggested by the authority: at `chance` (0 to 1) within its window. Undefined if it offers none.
 * Rejects as the client does.
 */
export const suggestedRenewalAtMs = async (
  client: AcmeClient,
  pem: string,
  chance: number,
): Promise<number | undefined> => {
  const { renewalInfo } = await client.directory()
  const id = certificateId(pem)
  if (renewalInfo === undefined || id === undefined) return undefined
  const { suggestedWindow } = await client.get(`${renewalInfo.replace(/\/$/, '')}/${id}`, RenewalInfo)
  const startMs = Date.parse(suggestedWindow.start)
  const endMs = Date.parse(suggestedWindow.end)
  return endMs > startMs ? startMs + (endMs - startMs) * chance : startMs
}
