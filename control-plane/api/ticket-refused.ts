import type { ErrorCode } from '#contracts/http/errors.ts'
import { ApiRefusal } from './api-refusal.ts'

/** Translates the refusal of a call about a ticket to the API. */
export const ticketRefused = ({
  code,
  fields,
  params,
}: {
  readonly ok: false
  readonly code: ErrorCode
  readonly fields?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
}): ApiRefusal => new ApiRefusal(code, { ...(fields && { fields }), ...(params && { params }) })
