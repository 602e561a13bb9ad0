import { createHmac, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_HEADER = 'x-signature'
/** A message older than this, or from a time to come, is a replay and refused. */
export const TOLERANCE_MS = 300_000

const TIME = /^t=(\d{10})$/
const SIGNATURE = /^v1=([0-9a-f]{64})$/
const MAX_PARTS = 8

/** The signature of a body: HMAC-SHA256 over `seconds.body`, in hex. */
export const signatureOf = (secret: string, seconds: string, body: string): string =>
  createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))

/**
 * Whether a header `t=...,v1=...[,v1=...]` proves a body: of any of its signatures by any of the secrets, and young enough
 * (T11). While a secret is exchanged both sides may have two.
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
