import { createHash } from 'node:crypto'
import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import type { RouteClass, RouteLimit } from '#contracts/http/limits.ts'

/** A leaky bucket's answer. `emptyAtMs` is what to store; `retryAfterMs` is how long a refused caller waits. */
export type LimitDecision =
  { readonly ok: true; readonly emptyAtMs: number } | { readonly ok: false; readonly retryAfterMs: number }

/** One request costs this many milliseconds of leaking. */
export const requestCostMs = (limit: RouteLimit): number => (limit.seconds * 1_000) / limit.rate

/** How full a bucket may be, in milliseconds of leaking. */
export const capacityMs = (limit: RouteLimit): number => requestCostMs(limit) * limit.burst

/**
 * Decides whether a bucket takes one more request (generic cell rate algorithm). `emptyAtMs` is the moment at which the
 * bucket is empty, as stored, or undefined for a key that was never seen. Times in epoch milliseconds.
 */
export const takeFromBucket = (limit: RouteLimit, emptyAtMs: number | undefined, nowMs: number): LimitDecision => {
  const next = Math.max(emptyAtMs ?? nowMs, nowMs) + requestCostMs(limit)
  const over = next - nowMs - capacityMs(limit)
  return over > 0 ? { ok: false, retryAfterMs: over } : { ok: true, emptyAtMs: next }
}

/** A network address as limits count it: IPv6 by /64, everything else as it is. */
export const addressKey = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...middle, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}

/** The key of one bucket: its class and whom it counts. `account` is a user id or what stands for one. */
export const bucketKey = (name: RouteClass, who: { address: string; account?: string | undefined }): string => {
  const account = who.account ?? ''
  const parts = {
    address: [addressKey(who.address)],
    account: [account],
    'address-and-account': [addressKey(who.address), account],
  }[ROUTE_LIMITS[name].key]
  return [name, ...parts].join('|')
}

/** Stands for a mailbox in place of an account: an address that nobody has is counted as one that somebody has. */
export const mailboxKey = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url')
