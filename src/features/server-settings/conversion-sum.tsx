'use client'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ConversionQuote } from '#contracts/http/conversion.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { usePriceRows } from '@/lib/ordering/use-price-rows.ts'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'

/** The price's parts, and the paid period. */
export const ConversionSum = ({ quote, stale }: { quote: ConversionQuote; stale: boolean }) => {
  const t = useTranslations('serverSettings.conversion')
  const ts = useTranslations('services')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const money = (amount: number) => formatMoney(amount, locale)
  const moment = (instant: string) => formatDate(instant, locale, { style: 'dateTime', timeZone })
  const { priceRows, discountRows } = usePriceRows()
  return (
    <div className={clsx('renewal-sum', stale && 'stale')} aria-busy={stale}>
      <MoneyLine rows={priceRows(quote, discountRows(quote.parts))} />
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
