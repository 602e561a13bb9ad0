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
}

/** Everything but a success that a call to our own API can end with. `status` is 0 where no answer came. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string | number>>
  readonly requestId: string | undefined

  constructor(facts: FailureFacts) {
    super(facts.message)
    this.code = facts.code
    this.status = facts.status
    this.fields = facts.fields ?? {}
    this.params = facts.params ?? {}
    this.requestId = facts.requestId
  }
}

/** True for what may pass by itself: no answer, a program that is down, a fault on our side. */
export const mayPass = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status === 0 || failure.status >= 500)

/** The version of the terms that has to be accepted before the wish can be repeated; undefined for any other failure. */
export const changedTermsOf = (failure: unknown): string | undefined =>
  failure instanceof ApiFailure && failure.code === 'TERMS_CHANGED' ? String(failure.params.version ?? '') : undefined
