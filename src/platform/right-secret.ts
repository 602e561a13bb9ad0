import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares the sent secret in constant time, independent of prefix and length. An empty secret is never right. */
export function isRightSecret(sent: string | undefined, secret: string): boolean {
  return sent !== undefined && secret !== '' && timingSafeEqual(digest(sent), digest(secret))
}
