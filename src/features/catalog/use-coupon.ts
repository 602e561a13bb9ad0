'use client'
import { useCallback, useEffect, useState } from 'react'
import { ApiFailure } from '@/lib/api-client/failure.ts'

/** Whether a price was refused because of the coupon alone. */
export const isCouponRefusal = (failure: unknown): failure is ApiFailure =>
  failure instanceof ApiFailure && (failure.code === 'INVALID_COUPON' || /^COUPONS?_/.test(failure.code))

export type CouponChoice = {
  /** The code that goes with the next price and the order. */
  readonly code: string | null
  /** Why the last code was left out. */
  readonly refusal: ApiFailure | null
  readonly apply: (code: string) => void
  readonly remove: () => void
}

/** The coupon of an order. */
export const useCoupon = () => {
  const [code, setCode] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<ApiFailure | null>(null)
  const choose = (next: string | null) => {
    setCode(next)
    setRefusal(null)
  }
  // The same function at each drawing, so that one refusal is heard of once.
  const refuse = useCallback((failure: ApiFailure) => {
    setCode(null)
    setRefusal(failure)
  }, [])
  return {
    choice: { code, refusal, apply: choose, remove: () => choose(null) } satisfies CouponChoice,
    /** A coupon that was refused is left out, so that the price without it stays visible beside the reason. */
    refuse,
  }
}

/** Leaves a coupon out as soon as a price is refused because of it. */
export const useCouponRefusal = (failure: unknown, refuse: (failure: ApiFailure) => void): void => {
  useEffect(() => {
    if (isCouponRefusal(failure)) refuse(failure)
  }, [failure, refuse])
}
