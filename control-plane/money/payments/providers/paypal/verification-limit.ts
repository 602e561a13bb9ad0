import type { Context } from '../../../../platform/context.ts'
import { KeyedBuckets, TokenBucket } from '#platform/token-bucket.ts'

/** Our payment with one of these ids, or undefined. */
export type KnownNames = (names: readonly string[]) => Promise<string | undefined>

export type VerificationLimit = {
  /** Whether PayPal may be asked to verify another message with these ids. */
  mayAsk(names: readonly string[]): Promise<boolean>
}

/** Verifications of messages without any id of ours, per process. PayPal repeats its own for three days. */
const UNKNOWN = { rate: 1, seconds: 1, burst: 30 }
/** Those of messages with an id of ours: a customer knows the ids of their own payment only. */
const EACH_KNOWN = { rate: 1, seconds: 10, burst: 20 }
const ALL_KNOWN = { rate: 20, seconds: 1, burst: 200 }
const MOST_PAYMENTS = 2_000

/**
 * Each message with signature headers costs a call to PayPal, and anybody can send one. Messages about our payments
 * have their own limit, so that a flood of forgeries cannot delay them; without `isKnown` all count as unknown.
 */
export function verificationLimit(
  { clock }: Pick<Context, 'clock'>,
  isKnown: KnownNames = () => Promise.resolve(undefined),
): VerificationLimit {
  const unknown = new TokenBucket(UNKNOWN)
  const known = new TokenBucket(ALL_KNOWN)
  const each = new KeyedBuckets(MOST_PAYMENTS)
  return {
    mayAsk: async (names) => {
      const nowMs = clock.now()
      const payment = names.length === 0 ? undefined : await isKnown(names)
      if (payment === undefined) return unknown.take(nowMs)
      return each.take(payment, EACH_KNOWN, nowMs).ok && known.take(nowMs)
    },
  }
}
