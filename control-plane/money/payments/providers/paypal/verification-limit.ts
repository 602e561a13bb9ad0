import type { Context } from '../../../../platform/context.ts'
import { KeyedBuckets, TokenBucket } from '#platform/token-bucket.ts'

/** The payment of ours that one of these names belongs to, or undefined. */
export type KnownNames = (names: readonly string[]) => Promise<string | undefined>

export type VerificationLimit = {
  /** Whether PayPal may be asked once more about a message that carries these names. */
  mayAsk(names: readonly string[]): Promise<boolean>
}

/** Questions about messages that name nothing of ours, in each process. PayPal repeats its own for three days. */
const UNKNOWN = { rate: 1, seconds: 1, burst: 30 }
/** About messages that name something of ours: whoever knows such a name, a customer, has it for one payment. */
const EACH_KNOWN = { rate: 1, seconds: 10, burst: 20 }
const ALL_KNOWN = { rate: 20, seconds: 1, burst: 200 }
const MOST_PAYMENTS = 2_000

/**
 * Each message with the form of a proof costs a question at PayPal, and anybody can send one. Messages about payments of ours have
 * questions of their own, so that a flood of inventions holds none of them up; without `isKnown` all count as unknown.
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
