'use client'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { RenewalQuote } from '#contracts/http/renewal.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatCount, formatMoney } from '@/lib/format/money.ts'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import type { MoneyRow } from '@/ui/surfaces/money-line.tsx'
import { MissingMoney } from './missing-money.tsx'

/** The price's parts, the remaining balance, and the new end of the paid time. */
export const RenewalSum = ({ quote, stale }: { quote: RenewalQuote; stale: boolean }) => {
  const t = useTranslations('serverSettings.renewal')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const money = (amount: number) => formatMoney(amount, locale)
  const rows: MoneyRow[] = [
    { id: 'monthly', term: t('monthly'), amount: money(quote.monthlyFt) },
    { id: 'months', term: t('forMonths', { count: quote.months }), amount: money(quote.monthlyFt * quote.months) },
    ...(quote.discountFt > 0 ? [{ id: 'discount', term: t('discount'), amount: money(-quote.discountFt) }] : []),
    { id: 'net', term: t('net'), amount: money(quote.netFt), kind: 'sum' },
    { id: 'vat', term: t('vat', { percent: quote.vatPercent }), amount: money(quote.vatFt) },
    { id: 'total', term: t('total'), amount: money(quote.totalFt), kind: 'total' },
  ]
  return (
    <div className={clsx('renewal-sum', stale && 'stale')} aria-busy={stale}>
      <MoneyLine rows={rows} />
      <dl className="money after">
        <div>
          <dt>{t('balanceAfter')}</dt>
          <dd>{quote.missingFt > 0 ? '–' : money(quote.balanceAfterFt)}</dd>
        </div>
        <div>
          <dt>{t('newExpiry')}</dt>
          <dd>{formatDate(quote.newExpiry, locale, { style: 'date', timeZone })}</dd>
        </div>
      </dl>
    </div>
  )
}

/** The missing amount, with a link. */
export const RenewalMissing = ({ missingFt }: { missingFt: number }) => {
  const t = useTranslations('serverSettings.renewal')
  const locale = useLocale()
  return (
    <MissingMoney missingFt={missingFt} topUp={t('topUp')}>
      {t('missing', { price: formatCount(missingFt, locale) })}
    </MissingMoney>
  )
}
