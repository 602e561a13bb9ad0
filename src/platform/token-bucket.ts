/** Allows `rate` actions in `seconds`, and `burst` at once after a rest. */
export type BucketLimit = { readonly rate: number; readonly seconds: number; readonly burst: number }

/** The decision of a bucket. `emptyAtMs` is the value to store; `retryAfterMs` is the wait of a refused caller. */
export type BucketDecision =
  { readonly ok: true; readonly emptyAtMs: number } | { readonly ok: false; readonly retryAfterMs: number }

/** Sums of fractions of a millisecond are inexact: within this tolerance a burst is complete. */
const ROUNDING_MS = 0.01

/** The milliseconds of leaking that one action costs. */
export const requestCostMs = (limit: BucketLimit): number => (limit.seconds * 1_000) / limit.rate

/** The capacity of a bucket, in milliseconds of leaking. */
export const capacityMs = (limit: BucketLimit): number => requestCostMs(limit) * limit.burst

/**
 * Decides whether a bucket allows one more action (generic cell rate algorithm). `emptyAtMs` is the time at which the
 * bucket is empty, as stored, or undefined for an unused bucket. Times in epoch milliseconds.
 */
export const takeFromBucket = (limit: BucketLimit, emptyAtMs: number | undefined, nowMs: number): BucketDecision => {
  const next = Math.max(emptyAtMs ?? nowMs, nowMs) + requestCostMs(limit)
  const over = next - nowMs - capacityMs(limit)
  return over > ROUNDING_MS ? { ok: false, retryAfterMs: over } : { ok: true, emptyAtMs: next }
}

/** One bucket in memory. The caller passes the time; a clock that goes back refills nothing. */
export class TokenBucket {
  readonly #limit: BucketLimit
  #emptyAtMs: number | undefined
  #latestMs = -Infinity

  constructor(limit: BucketLimit) {
    this.#limit = limit
  }

  /** Takes one token, or returns false and changes nothing. */
  take(nowMs: number): boolean {
    this.#latestMs = Math.max(this.#latestMs, nowMs)
    const decision = takeFromBucket(this.#limit, this.#emptyAtMs, this.#latestMs)
    if (decision.ok) this.#emptyAtMs = decision.emptyAtMs
    return decision.ok
  }
}

/**
 * Buckets in memory by key. Memory stays bounded: at `maxKeys` the empty ones are removed, then the least recently
 * used.
 */
export class KeyedBuckets {
  readonly #maxKeys: number
  readonly #emptyAtMs = new Map<string, number>()

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#emptyAtMs.size
  }

  take(key: string, limit: BucketLimit, nowMs: number): BucketDecision {
    const decision = takeFromBucket(limit, this.#emptyAtMs.get(key), nowMs)
    if (!decision.ok) return decision
    // Reinserted, so that the map's order is that of use.
    if (!this.#emptyAtMs.delete(key) && this.#emptyAtMs.size >= this.#maxKeys) this.#makeRoom(nowMs)
    this.#emptyAtMs.set(key, decision.emptyAtMs)
    return decision
  }

  /** Returns the token of one allowed action. */
  giveBack(key: string, limit: BucketLimit): void {
    const emptyAtMs = this.#emptyAtMs.get(key)
    if (emptyAtMs !== undefined) this.#emptyAtMs.set(key, emptyAtMs - requestCostMs(limit))
  }

  #makeRoom(nowMs: number): void {
    for (const [key, emptyAtMs] of this.#emptyAtMs) if (emptyAtMs <= nowMs) this.#emptyAtMs.delete(key)
    for (const key of this.#emptyAtMs.keys()) {
      if (this.#emptyAtMs.size < this.#maxKeys) break
      this.#emptyAtMs.delete(key)
    }
  }
}
