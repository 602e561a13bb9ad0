/** Allows `rate` actions in `seconds`, and `burst` at once after a rest. Time in milliseconds is given by the caller. */
export class TokenBucket {
  readonly #perMs: number
  readonly #burst: number
  #tokens: number
  #atMs: number

  constructor(limit: { rate: number; seconds: number; burst: number }, nowMs: number) {
    this.#perMs = limit.rate / (limit.seconds * 1_000)
    this.#burst = limit.burst
    this.#tokens = limit.burst
    this.#atMs = nowMs
  }

  /** Takes one token, or answers false and changes nothing. */
  take(nowMs: number): boolean {
    const elapsed = Math.max(0, nowMs - this.#atMs)
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsed * this.#perMs)
    this.#atMs = nowMs
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** Whether the bucket is as good as a new one, so it may be forgotten. */
  isFull(nowMs: number): boolean {
    return this.#tokens + Math.max(0, nowMs - this.#atMs) * this.#perMs >= this.#burst
  }
}
