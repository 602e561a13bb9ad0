'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { Quote } from '#contracts/http/order.ts'
import { formatMoney } from '../format/money.ts'
import type { MoneyRow } from '@/ui/surfaces/money-line.tsx'

type Priced = Pick<Quote, 'monthlyFt' | 'months' | 'netFt' | 'vatFt' | 'vatPercent' | 'totalFt'>

/** Makes the rows of a price: monthly fee, months, discounts, and net, VAT and total. */
export const usePriceRows = () => {
  const t = useTranslations('services.price')
  const locale = useLocale()
  const money = (amountFt: number) => formatMoney(amountFt, locale)
  return {
    /** Each discount with its name. */
    discountRows: (parts: Quote['parts']): MoneyRow[] =>
      parts.flatMap((part) => {
        if (part.kind === 'resource') return []
        const term = part.kind === 'coupon' ? t('coupon', { code: part.code }) : t('premium', { percent: part.percent })
        return [{ id: part.kind, term, amount: money(part.amountFt) }]
      }),
    /** `months` replaces the usual wording of the number of months. */
    priceRows: (price: Priced, discounts: readonly MoneyRow[], months?: string): MoneyRow[] => [
      { id: 'monthly', term: t('monthly'), amount: money(price.monthlyFt) },
      {
        id: 'months',
        term: months ?? t('months', { count: price.months }),
        amount: money(price.monthlyFt * price.months),
      },
      ...discounts,
      { id: 'net', term: t('net'), amount: money(price.netFt), kind: 'sum' },
      { id: 'vat', term: t('vat', { percent: price.vatPercent }), amount: money(price.vatFt) },
      { id: 'total', term: t('total'), amount: money(price.totalFt), kind: 'total' },
    ],
  }
}
