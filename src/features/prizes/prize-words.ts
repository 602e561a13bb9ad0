'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { WheelField } from '#contracts/http/spin.ts'
import { formatMoney } from '@/lib/format/money.ts'

/** A prize in words: `200 Ft`, `20 % coupon`, `Another spin`. */
export const usePrizeWords = () => {
  const t = useTranslations('spin.prizes')
  const locale = useLocale()
  return ({ type, amount }: Pick<WheelField, 'type' | 'amount'>): string => {
    if (type === 'money') return formatMoney(amount, locale)
    return type === 'coupon' ? t('coupon', { percent: amount }) : t(type)
  }
}

/** The same in the few letters that a sector of the wheel has room for; the table beside it says all of it. */
export const useShortPrize = () => {
  const t = useTranslations('spin.short')
  const words = usePrizeWords()
  return (prize: Pick<WheelField, 'type' | 'amount'>): string => {
    const { type, amount } = prize
    if (type === 'coupon') return t('coupon', { percent: amount })
    return type === 'reroll' || type === 'server' ? t(type) : words(prize)
  }
}
