import type { ErrorCode } from '#contracts/http/errors.ts'

/** `OFFLINE`: no response. `UNREADABLE`: a response that violates the contract. */
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

/** Every failure of a call to our own API. `status` is 0 without a response. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string | number>>
  readonly requestId: string | undefined
  /** The wait that the site asks for; null without one. */
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

/** True for failures that may resolve on their own: no response, a program that is down, a fault on our side. */
export const mayPass = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status === 0 || failure.status >= 500)

/**
 * True when the outcome is unknown: no response, an unreadable one, a program that is down, or the same call still in
 * progress. A call that waits for a lock may still be carried out after the site has given up on its response.
 */
export const isUnknown = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status < 400 || failure.status >= 500 || failure.code === 'IN_PROGRESS')

/**
 * True for requests that were refused unread: the refusal says nothing about an earlier attempt whose response was
 * lost.
 */
export const isTurnedAway = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status === 401 || failure.status === 429)

/** The reason when a price was refused only because of its coupon; null for any other failure. */
export const couponRefusalOf = (failure: unknown): ApiFailure | null =>
  failure instanceof ApiFailure && (failure.code === 'INVALID_COUPON' || /^COUPONS?_/.test(failure.code))
    ? failure
    : null

/** The version of the terms to accept before the request can be repeated; undefined for any other failure. */
export const changedTermsOf = (failure: unknown): string | undefined =>
  failure instanceof ApiFailure && failure.code === 'TERMS_CHANGED' ? String(failure.params.version ?? '') : undefined
