'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { RenewalQuote } from '#contracts/http/renewal.ts'
import { ApiFailure, isUnknown } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Stops } from '@/ui/controls/stops.tsx'
import { AutoRenewalSwitch } from './auto-renewal-switch.tsx'
import { RenewalMissing, RenewalSum } from './renewal-sum.tsx'
import { useRenew, useRenewalQuote } from './use-renewal.ts'

const months = [1, 2, 3, 4, 5, 6] as const

/** The end of the paid time, and what happens then. */
const PaidTime = ({ quote }: { quote: RenewalQuote }) => {
  const t = useTranslations('serverSettings.renewal')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const day = (instant: string) => formatDate(instant, locale, { style: 'date', timeZone })
  const isExpired = Date.parse(quote.expiry) <= Date.now()
  return isExpired ? (
    <Notice tone="stop">
      {t('expired', { date: day(quote.expiry), deletion: day(quote.deletionAt) })} {t('archive')}
    </Notice>
  ) : (
    <p>
      {t('expires')} <b>{day(quote.expiry)}</b>
      <span className="t2"> · {t('deletion', { deletion: day(quote.deletionAt) })}</span>
    </p>
  )
}

const RenewalFailure = ({ failure }: { failure: unknown }) => {
  const t = useTranslations('serverSettings.renewal')
  const failureText = useFailureText()
  if (failure instanceof ApiFailure && failure.code === 'INSUFFICIENT_BALANCE') {
    return <RenewalMissing missingFt={Number(failure.params.price ?? 0)} />
  }
  return (
    <Notice tone="stop" role="alert">
      {failureText(failure)} {t(isUnknown(failure) ? 'unknown' : 'nothingCharged')}
    </Notice>
  )
}

type RenewingProps = { serverId: string; quote: RenewalQuote; isCurrent: boolean }

const Renewing = ({ serverId, quote, isCurrent }: RenewingProps) => {
  const t = useTranslations('serverSettings.renewal')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const renew = useRenew(serverId)
  const canRenew = isCurrent && quote.missingFt === 0 && !renew.isPending
  const place = () => {
    if (!canRenew) return
    renew.mutate({ months: quote.months, expectedTotalFt: quote.totalFt, expiry: quote.expiry })
  }
  const until = renew.data && formatDate(renew.data.renewal.expiresAt, locale, { style: 'date', timeZone })
  return (
    <>
      {quote.missingFt > 0 ? <RenewalMissing missingFt={quote.missingFt} /> : null}
      {renew.error !== null && quote.missingFt === 0 ? <RenewalFailure failure={renew.error} /> : null}
      <div role="status">{until ? <Notice tone="go">{t('renewed', { date: until })}</Notice> : null}</div>
      <Button look="primary" busy={renew.isPending} aria-disabled={!canRenew || undefined} onClick={place}>
        {t('renew', { price: formatMoney(quote.totalFt, locale) })}
      </Button>
      <p className="help">{t('immediate')}</p>
    </>
  )
}

/** Renews the server for 1 to 6 months, and switches automatic renewal. */
export const RenewalPanel = ({ serverId }: { serverId: string }) => {
  const t = useTranslations('serverSettings.renewal')
  const tc = useTranslations('common')
  const failureText = useFailureText()
  const [count, setCount] = useState(1)
  const { query, isCurrent } = useRenewalQuote(serverId, count)
  const failed = query.error === null ? t('failed') : failureText(query.error)
  return (
    <Panel title={t('title')}>
      <Region query={query} skeleton={<SkeletonRows rows={8} label={tc('loading')} />} failed={failed}>
        {(quote) => (
          <div className="renewal">
            <PaidTime quote={quote} />
            <Stops
              name="months"
              legend={t('months')}
              value={String(count)}
              choices={months.map((each) => ({ value: String(each), label: t('monthsShort', { count: each }) }))}
              onChange={(value) => setCount(Number(value))}
            />
            <RenewalSum quote={quote} stale={!isCurrent} />
            <Renewing serverId={serverId} quote={quote} isCurrent={isCurrent} />
            <AutoRenewalSwitch serverId={serverId} quote={quote} />
          </div>
        )}
      </Region>
    </Panel>
  )
}
