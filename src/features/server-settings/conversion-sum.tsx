'use client'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ConversionQuote } from '#contracts/http/conversion.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import type { MoneyRow } from '@/ui/surfaces/money-line.tsx'

/** The price's parts, and the paid period. */
export const ConversionSum = ({ quote, stale }: { quote: ConversionQuote; stale: boolean }) => {
  const t = useTranslations('serverSettings.conversion')
  const ts = useTranslations('services')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const money = (amount: number) => formatMoney(amount, locale)
  const moment = (instant: string) => formatDate(instant, locale, { style: 'dateTime', timeZone })
  const discounts = quote.parts.flatMap((part): MoneyRow[] => {
    if (part.kind === 'resource') return []
    const term =
      part.kind === 'coupon' ? ts('price.coupon', { code: part.code }) : ts('price.premium', { percent: part.percent })
    return [{ id: part.kind, term, amount: money(part.amountFt) }]
  })
  const rows: MoneyRow[] = [
    { id: 'monthly', term: ts('price.monthly'), amount: money(quote.monthlyFt) },
    { id: 'months', term: ts('price.months', { count: quote.months }), amount: money(quote.monthlyFt * quote.months) },
    ...discounts,
    { id: 'net', term: ts('price.net'), amount: money(quote.netFt), kind: 'sum' },
    { id: 'vat', term: ts('price.vat', { percent: quote.vatPercent }), amount: money(quote.vatFt) },
    { id: 'total', term: ts('price.total'), amount: money(quote.totalFt), kind: 'total' },
  ]
  return (
    <div className={clsx('renewal-sum', stale && 'stale')} aria-busy={stale}>
      <MoneyLine rows={rows} />
      <dl className="money after">
        <div>
          <dt>{ts('price.balanceAfter')}</dt>
          <dd>{quote.missingFt > 0 ? '–' : money(quote.balanceAfterFt)}</dd>
        </div>
        <div>
          <dt>{t('from')}</dt>
          <dd>{moment(quote.paidFrom)}</dd>
        </div>
        <div>
          <dt>{t('until')}</dt>
          <dd>{moment(quote.expiresAt)}</dd>
        </div>
      </dl>
    </div>
  )
}
