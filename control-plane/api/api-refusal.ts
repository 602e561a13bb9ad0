import type { ErrorCode } from '#contracts/http/errors.ts'
import { assertNever } from '#domain/kernel/assert.ts'
import type { CouponRefusal } from '#domain/billing/coupon.ts'
import type { OrderRefusal } from '#domain/billing/order-refusal.ts'
import type { TopUpRefusal } from '#domain/payments/top-up.ts'

/** A business refusal of the internal API: a code of the closed list, and the values of its message. */
export class ApiRefusal extends Error {
  override name = 'ApiRefusal'
  readonly code: ErrorCode
  readonly params: Readonly<Record<string, string | number>> | undefined
  readonly fields: Readonly<Record<string, string>> | undefined

  constructor(
    code: ErrorCode,
    facts: { params?: Readonly<Record<string, string | number>>; fields?: Readonly<Record<string, string>> } = {},
  ) {
    super(code)
    this.code = code
    this.params = facts.params
    this.fields = facts.fields
  }
}

type KeyCode = 'IN_PROGRESS' | 'IDEMPOTENCY_MISMATCH'

/** Translates the refusal of an order or a quote to the API. */
export function orderRefused(
  refusal: OrderRefusal | CouponRefusal | { readonly ok: false; readonly code: KeyCode },
): ApiRefusal {
  const params = 'params' in refusal && refusal.params ? { params: refusal.params } : {}
  switch (refusal.code) {
    case 'COUPON_INVALID':
      return new ApiRefusal('INVALID_COUPON')
    case 'MONTHS_INVALID':
      return new ApiRefusal('VALIDATION', { fields: { months: 'MONTHS_INVALID' } })
    case 'EMAIL_NOT_VERIFIED':
    case 'ORDERING_DISABLED':
    case 'NOT_FOUND':
    case 'NOT_ORDERABLE':
    case 'IMAGE_NOT_LISTED':
    case 'INVALID_RESOURCES':
    case 'COUPONS_DISABLED':
    case 'COUPON_NOT_FOUND':
    case 'COUPON_INACTIVE':
    case 'COUPON_NOT_YET_VALID':
    case 'COUPON_EXPIRED':
    case 'COUPON_USED_UP':
    case 'COUPON_ALREADY_USED':
    case 'COUPON_NOT_FOR_SERVICE':
    case 'COUPON_TOTAL_TOO_HIGH':
    case 'PRICE_CHANGED':
    case 'INSUFFICIENT_BALANCE':
    case 'DEBT_OPEN':
    case 'NO_CAPACITY':
    case 'NO_FREE_PORT':
    case 'IN_PROGRESS':
    case 'IDEMPOTENCY_MISMATCH':
      return new ApiRefusal(refusal.code, params)
    default:
      return assertNever(refusal)
  }
}

/** Translates the refusal of a top-up to the API. */
export function topUpRefused(code: TopUpRefusal | KeyCode, params: { maximum?: number } = {}): ApiRefusal {
  switch (code) {
    case 'TOPUP_WALLET_FULL':
      return new ApiRefusal(code, { params: { maximum: params.maximum ?? 0 } })
    case 'AMOUNT_INVALID':
      return new ApiRefusal('VALIDATION', { fields: { amount: 'invalid' } })
    case 'AMOUNT_NOT_WHOLE':
      return new ApiRefusal('VALIDATION', { fields: { amount: 'notWhole' } })
    case 'AMOUNT_NOT_OFFERED':
      return new ApiRefusal('VALIDATION', { fields: { amount: 'notOffered' } })
    case 'EMAIL_NOT_VERIFIED':
    case 'TOPUP_TOO_SMALL':
    case 'TOPUP_TOO_LARGE':
    case 'TERMS_NOT_ACCEPTED':
    case 'METHOD_NOT_AVAILABLE':
    case 'IN_PROGRESS':
    case 'IDEMPOTENCY_MISMATCH':
      return new ApiRefusal(code)
    default:
      return assertNever(code)
  }
}
