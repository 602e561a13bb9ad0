import { createHmac, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_HEADER = 'x-signature'
/** A message older than this, or dated in the future, is refused as a replay. */
export const TOLERANCE_MS = 300_000

const TIME = /^t=(\d{10})$/
const SIGNATURE = /^v1=([0-9a-f]{64})$/
const MAX_PARTS = 8

/** The signature of a body: HMAC-SHA256 over `seconds.body`, in hex. */
export const signatureOf = (secret: string, seconds: string, body: string): string =>
  createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))

/**
 * Whether a header `t=...,v1=...[,v1=...]` proves a recent body: one of its signatures matches one of the secrets
 * (T11). During a rotation both sides may have two.
 */
export function isSigned(
  { header, body }: { header: string | undefined; body: string },
  secrets: readonly string[],
  nowMs: number,
): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim())
  if (parts.length > MAX_PARTS) return false
  const times = parts.flatMap((part) => TIME.exec(part)?.[1] ?? [])
  const [seconds] = times
  if (seconds === undefined || times.length !== 1) return false
  if (Math.abs(nowMs - Number(seconds) * 1000) > TOLERANCE_MS) return false
  const sent = parts.flatMap((part) => SIGNATURE.exec(part)?.[1] ?? [])
  const right = secrets.map((secret) => signatureOf(secret, seconds, body))
  return sent.some((signature) => right.some((expected) => isSame(signature, expected)))
}
