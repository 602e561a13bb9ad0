'use client'
import { useCallback, useEffect, useState } from 'react'

export type CouponChoice<Refusal> = {
  /** The code to send with the next price and the order. */
  readonly code: string | null
  /** Why the last code was removed. */
  readonly refusal: Refusal | null
  readonly apply: (code: string) => void
  readonly remove: () => void
}

/** The coupon of an order. */
export const useCoupon = <Refusal>() => {
  const [code, setCode] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const choose = (next: string | null) => {
    setCode(next)
    setRefusal(null)
  }
  // The function is stable, so that one refusal is handled once.
  const refuse = useCallback((reason: Refusal) => {
    setCode(null)
    setRefusal(() => reason)
  }, [])
  return {
    choice: { code, refusal, apply: choose, remove: () => choose(null) } satisfies CouponChoice<Refusal>,
    /** A refused coupon is removed, so that the price without it stays visible beside the reason. */
    refuse,
  }
}

/** Removes a coupon as soon as a price is refused because of it. */
export const useCouponRefusal = <Refusal>(refusal: Refusal | null, refuse: (refusal: Refusal) => void): void => {
  useEffect(() => {
    if (refusal !== null) refuse(refusal)
  }, [refusal, refuse])
}
