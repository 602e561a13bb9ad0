import type { PaymentProblem } from './payment-match.ts'
import { mergeFacts, transactionStatus, type PaymentFacts } from './payment-state.ts'
import { isGivenUp, type WatchedPayment } from './payment-window.ts'

/** A payment as it is known, and what its provider says of it now. */
export type PaymentLook = {
  readonly known: PaymentFacts
  /** Undefined where the provider says nothing. */
  readonly seen: PaymentFacts | undefined
  /** Why the money that the provider tells of does not belong to the payment (`mismatchOf`). */
  readonly mismatch: PaymentProblem | null
  /** What staff did with money of it that was parked: gave it to somebody; dealt with exactly what is told now. */
  readonly parked: { readonly isAssigned: boolean; readonly isResolved: boolean }
  /** Whether the account of its customer is gone, or going. */
  readonly isErasedAccount: boolean
  /** Whether money is here that does not fit, and a person must look at it. */
  readonly hasProblem: boolean
  readonly watched: WatchedPayment
}

export type DecidedLook = { readonly facts: PaymentFacts; readonly problem: PaymentProblem | null }

/**
 * What a look means for a payment. Money that fits settles it; money that does not, or whose customer is gone, is parked, and nothing
 * moves; money that staff gave elsewhere leaves it as it is. What nobody can pay any more expires, unless money that does not fit is
 * here. Of a payment that was credited, what is told differently later is a problem, and what was credited stays.
 */
export function decideLook(look: PaymentLook, nowMs: number): DecidedLook {
  const { known, seen, mismatch, parked, isErasedAccount, hasProblem, watched } = look
  const merged = seen ? mergeFacts(known, seen) : known
  if (known.state === 'settled') {
    const isDealtWith = parked.isAssigned || parked.isResolved || seen?.state !== 'settled'
    return { facts: merged, problem: isDealtWith ? null : mismatch }
  }
  const settles = seen !== undefined && merged.state === 'settled'
  if (settles && !parked.isAssigned && !parked.isResolved) {
    const problem = mismatch ?? (isErasedAccount ? 'ERASED_ACCOUNT' : null)
    return problem === null ? { facts: merged, problem } : { facts: known, problem }
  }
  const facts = settles ? known : merged
  const expires = transactionStatus(facts.state) === 'processing' && !hasProblem && isGivenUp(watched, nowMs)
  return { facts: expires ? { ...facts, state: 'expired' } : facts, problem: null }
}
