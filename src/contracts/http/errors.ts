import * as z from 'zod'

/** Every code that the site's API answers with, and its HTTP status. The list is closed: a new refusal is a new line. */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  VALIDATION: 400,
  IDEMPOTENCY_KEY_MISSING: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  OTP_REQUIRED: 401,
  INVALID_CODE: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_REUSED: 401,
  FORBIDDEN: 403,
  CSRF: 403,
  REGISTRATION_DISABLED: 403,
  ORDERING_DISABLED: 403,
  SERVER_START_DISABLED: 403,
  SERVER_SUSPENDED: 403,
  SERVER_EXPIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  USERNAME_TAKEN: 409,
  EMAIL_TAKEN: 409,
  IDEMPOTENCY_MISMATCH: 409,
  IN_PROGRESS: 409,
  PRICE_CHANGED: 409,
  POWER_ACTION_RUNNING: 409,
  INVALID_STATE: 409,
  INSUFFICIENT_BALANCE: 402,
  TOPUP_TOO_SMALL: 422,
  TOPUP_TOO_LARGE: 422,
  TERMS_NOT_ACCEPTED: 422,
  METHOD_NOT_AVAILABLE: 422,
  NOT_ORDERABLE: 422,
  IMAGE_NOT_LISTED: 422,
  NO_CAPACITY: 422,
  NO_FREE_PORT: 422,
  INVALID_RESOURCES: 422,
  COUPON_NOT_FOUND: 422,
  INVALID_COUPON: 422,
  INVALID_SSH_KEY: 422,
  PAYLOAD_TOO_LARGE: 413,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  PROVIDER_FAILURE: 502,
  CONTROL_PLANE_UNAVAILABLE: 503,
  NODE_UNREACHABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
export const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]
export const ErrorCode = z.enum(ERROR_CODES)

/** The body of every answer that is not a success. `message` is in the caller's language; `params` are the facts in it. */
export const ErrorBody = z.object({
  error: z.object({
    code: ErrorCode,
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    retryAfterSeconds: z.int().optional(),
    requestId: z.string().optional(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>
