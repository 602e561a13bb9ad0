'use client'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { RenewalQuote } from '#contracts/http/renewal.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { usePriceRows } from '@/lib/ordering/use-price-rows.ts'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import { MissingMoney } from './missing-money.tsx'

/** The price's parts, the remaining balance, and the new end of the paid time. */
export const RenewalSum = ({ quote, stale }: { quote: RenewalQuote; stale: boolean }) => {
  const t = useTranslations('serverSettings.renewal')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const money = (amount: number) => formatMoney(amount, locale)
  const { priceRows } = usePriceRows()
  const discounts =
    quote.discountFt > 0 ? [{ id: 'discount', term: t('discount'), amount: money(-quote.discountFt) }] : []
  const rows = priceRows(quote, discounts, t('forMonths', { count: quote.months }))
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
      {t('missing', { amount: formatMoney(missingFt, locale) })}
    </MissingMoney>
  )
}
