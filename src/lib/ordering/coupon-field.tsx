'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import type { CouponChoice } from './use-coupon.ts'

type CouponFieldProps = {
  /** A refused coupon carries the sentence to show. */
  coupon: CouponChoice<string>
  /** Coupons are switched off. */
  isOff: boolean
}

/**
 * One coupon for one order: a field to type it, its refusal as a sentence, or the applied coupon with a button to
 * remove it.
 */
export const CouponField = ({ coupon, isOff }: CouponFieldProps) => {
  const t = useTranslations('services.coupon')
  const [typed, setTyped] = useState('')
  const tw = useTranslations('switches')
  if (isOff && coupon.code === null) return <p className="help my-3">{tw('couponUse')}</p>
  if (coupon.code !== null) {
    return (
      <div className="coupon my-3" role="status">
        <span className="grow min-w-0">{t('applied', { code: coupon.code })}</span>
        <Button size="s" onClick={coupon.remove}>
          {t('remove')}
        </Button>
      </div>
    )
  }
  return (
    <form
      className="my-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() !== '') coupon.apply(typed.trim())
      }}
    >
      <Field
        label={t('label')}
        value={typed}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={coupon.refusal ?? undefined}
        end={
          <Button size="s" type="submit">
            {t('apply')}
          </Button>
        }
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </form>
  )
}
