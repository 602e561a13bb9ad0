import type { PaymentProblem } from './payment-match.ts'
import { mergeFacts, transactionStatus, type PaymentFacts } from './payment-state.ts'
import { isGivenUp, type WatchedPayment } from './payment-window.ts'

/** A payment as stored here, and its provider's current data. */
export type PaymentLook = {
  readonly known: PaymentFacts
  /** Undefined if the provider does not know it. */
  readonly seen: PaymentFacts | undefined
  /** Why the provider's money does not belong to the payment (`mismatchOf`). */
  readonly mismatch: PaymentProblem | null
  /** The decision of staff on its unmatched money: whether they assigned it to somebody, or resolved exactly the current state. */
  readonly unmatched: { readonly isAssigned: boolean; readonly isResolved: boolean }
  /** Whether its customer's account is or is being erased. */
  readonly isErasedAccount: boolean
  /** Whether money has arrived that does not match, so that staff must look at it. */
  readonly hasProblem: boolean
  readonly watched: WatchedPayment
}

export type DecidedLook = { readonly facts: PaymentFacts; readonly problem: PaymentProblem | null }

/**
 * The consequence of a lookup. Matching money settles the payment; money that does not match, or whose customer is
 * gone, is kept for staff, and nothing moves; after an assignment elsewhere the payment stays as it is. A payment that
 * can no longer be paid expires, unless unmatched money has arrived. If a credited payment later differs, that is a
 * problem, and its credit stays.
 */
export function decideLook(look: PaymentLook, nowMs: number): DecidedLook {
  const { known, seen, mismatch, unmatched, isErasedAccount, hasProblem, watched } = look
  const merged = seen ? mergeFacts(known, seen) : known
  if (known.state === 'settled') {
    const isDealtWith = unmatched.isAssigned || unmatched.isResolved || seen?.state !== 'settled'
    return { facts: merged, problem: isDealtWith ? null : mismatch }
  }
  const settles = seen !== undefined && merged.state === 'settled'
  if (settles && !unmatched.isAssigned && !unmatched.isResolved) {
    const problem = mismatch ?? (isErasedAccount ? 'ERASED_ACCOUNT' : null)
    return problem === null ? { facts: merged, problem } : { facts: known, problem }
  }
  const facts = settles ? known : merged
  const expires = transactionStatus(facts.state) === 'processing' && !hasProblem && isGivenUp(watched, nowMs)
  return { facts: expires ? { ...facts, state: 'expired' } : facts, problem: null }
}
