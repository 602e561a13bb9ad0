import type { ErrorCode } from '#contracts/http/errors.ts'

/** `OFFLINE`: no answer came. `UNREADABLE`: an answer came that the contract does not know. */
export type FailureCode = ErrorCode | 'OFFLINE' | 'UNREADABLE'

type FailureFacts = {
  code: FailureCode
  status: number
  message: string
  fields?: Record<string, string> | undefined
  params?: Record<string, string | number> | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | null | undefined
}

/** Everything but a success that a call to our own API can end with. `status` is 0 where no answer came. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string | number>>
  readonly requestId: string | undefined
  /** How long the site asks to wait; null where it does not say. */
  readonly retryAfterSeconds: number | null

  constructor(facts: FailureFacts) {
    super(facts.message)
    this.code = facts.code
    this.status = facts.status
    this.fields = facts.fields ?? {}
    this.params = facts.params ?? {}
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
  }
}

/** True for failures that may pass by themselves: no answer, a program that is down, a fault on our side. */
export const mayPass = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status === 0 || failure.status >= 500)

/**
 * True where nobody knows whether the call did its work: no answer, one that could not be read, a program that is down, or the same
 * call is still under way. A call that waits behind a lock may be carried out after the site has given up on its answer.
 */
export const isUnknown = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status < 400 || failure.status >= 500 || failure.code === 'IN_PROGRESS')

/** True for requests that were refused unread: the refusal says nothing about an earlier try whose answer was lost. */
export const isTurnedAway = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status === 401 || failure.status === 429)

/** A price that was refused because of its coupon alone; null for any other failure. */
export const couponRefusalOf = (failure: unknown): ApiFailure | null =>
  failure instanceof ApiFailure && (failure.code === 'INVALID_COUPON' || /^COUPONS?_/.test(failure.code))
    ? failure
    : null

/** The version of the terms that has to be accepted before the wish can be repeated; undefined for any other failure. */
export const changedTermsOf = (failure: unknown): string | undefined =>
  failure instanceof ApiFailure && failure.code === 'TERMS_CHANGED' ? String(failure.params.version ?? '') : undefined
