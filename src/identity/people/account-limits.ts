import type { RouteClass } from '#contracts/http/limits.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { bucketKey } from '../context/limits.ts'
import type { LimitAnswer } from '../context/limit-store.ts'

export type Bucket = { readonly name: RouteClass; readonly key: string }
export type TooMany = { readonly ok: false; readonly code: 'TOO_MANY_REQUESTS'; readonly retryAfterSeconds: number }

/** The two classes that count attempts on an account: from one address, and in total. */
export type AccountClasses = { readonly here: RouteClass; readonly everywhere: RouteClass }

export const tooMany = (limit: LimitAnswer & { ok: false }): TooMany => ({
  ok: false,
  code: 'TOO_MANY_REQUESTS',
  retryAfterSeconds: limit.retryAfterSeconds,
})

/**
 * The buckets of an attempt on an account. A known device has its own buckets, so that a flood from elsewhere does not
 * lock the owner out (security case 12, ASVS 6.1.1). `device` is the fingerprint of a known device or null.
 */
export const accountBuckets = (
  { here, everywhere }: AccountClasses,
  { account, device }: { account: string; device: string | null },
  origin: Origin,
): Bucket[] =>
  device === null
    ? [
        { name: here, key: bucketKey(here, { ...origin, account }) },
        { name: everywhere, key: bucketKey(everywhere, { ...origin, account }) },
      ]
    : [{ name: everywhere, key: bucketKey(everywhere, { ...origin, account: `${account}|${device}` }) }]

/** Takes one attempt from each bucket, or from none. */
export const takeAll = async (context: IdentityContext, buckets: readonly Bucket[]): Promise<LimitAnswer> => {
  for (const [at, bucket] of buckets.entries()) {
    const limit = await context.limits.take(bucket.name, bucket.key)
    if (limit.ok) continue
    for (const taken of buckets.slice(0, at)) await context.limits.giveBack(taken.name, taken.key)
    return limit
  }
  return { ok: true }
}

/** Returns a successful attempt: only failures count against an account. */
export const giveBackAll = async (context: IdentityContext, buckets: readonly Bucket[]): Promise<void> => {
  for (const bucket of buckets) await context.limits.giveBack(bucket.name, bucket.key)
}
