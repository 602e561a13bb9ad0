'use client'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ModificationQuote } from '#contracts/http/modification.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import type { MoneyRow } from '@/ui/surfaces/money-line.tsx'

/** Charge or refund, the new monthly fee, and when the new size applies. */
export const ModificationSum = ({ quote, stale }: { quote: ModificationQuote; stale: boolean }) => {
  const t = useTranslations('serverSettings.modification')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const money = (amount: number) => formatMoney(amount, locale)
  const isBack = quote.backFt > 0
  const rows: MoneyRow[] = [
    { id: 'now', term: t('monthlyNow'), amount: money(quote.monthlyFt) },
    { id: 'new', term: t('monthlyNew'), amount: money(quote.newMonthlyFt) },
    {
      id: 'total',
      term: (
        <>
          {isBack ? t('back') : t('charge')}
          <small className="t2"> · {t('left', { count: quote.days })}</small>
        </>
      ),
      amount: money(isBack ? quote.backFt : quote.chargeFt),
      kind: 'total',
    },
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
          <dt>{t('from')}</dt>
          <dd>{t('atOnce', { date: formatDate(quote.expiry, locale, { style: 'date', timeZone }) })}</dd>
        </div>
      </dl>
      <p className="help">{t('restart')}</p>
    </div>
  )
}
