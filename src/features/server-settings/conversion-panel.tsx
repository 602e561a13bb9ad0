'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ConversionQuote, ConversionQuoteRequest } from '#contracts/http/conversion.ts'
import type { ServerSize } from '#contracts/http/modification.ts'
import type { Server } from '#contracts/http/server.ts'
import type { Service } from '#contracts/http/service.ts'
import { ApiFailure, changedTermsOf } from '@/lib/api-client/failure.ts'
import { servicesQuery } from '@/lib/api-client/queries.ts'
import { useFailureText } from '@/lib/failure-text.ts'
import { formatDate } from '@/lib/format-date.ts'
import { formatCount, formatMoney } from '@/lib/format-money.ts'
import { Button } from '@/ui/button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Notice } from '@/ui/notice.tsx'
import { Panel } from '@/ui/panel.tsx'
import { Region } from '@/ui/region.tsx'
import { SkeletonRows } from '@/ui/states.tsx'
import { TermsConsent } from '@/ui/terms-consent.tsx'
import { ConversionChoiceFields, customSize } from './conversion-choice.tsx'
import type { ConversionChoice } from './conversion-choice.tsx'
import { ConversionSum } from './conversion-sum.tsx'
import { MissingMoney } from './missing-money.tsx'
import { conversionQuery, useConvert } from './use-conversion.ts'
import { useSettled } from './use-settled.ts'

const requestOf = ({ size, resources, months, coupon }: ConversionChoice): ConversionQuoteRequest => ({
  ...(size === customSize ? { resources } : { packageId: size }),
  months,
  ...(coupon === '' ? {} : { couponCode: coupon }),
})

/** The size that the test has, where it is sold; else the first. */
const firstChoice = (service: Service, size: ServerSize): ConversionChoice => {
  const sizes = service.packages.filter(({ orderable }) => orderable)
  const found = sizes.find(({ id }) => id === size.packageId) ?? sizes[0]
  return { size: found?.id ?? customSize, resources: size.resources, months: 1, coupon: '' }
}

const isOfCoupon = (failure: unknown): failure is ApiFailure =>
  failure instanceof ApiFailure && (failure.code === 'INVALID_COUPON' || /^COUPONS?_/.test(failure.code))

const Failure = ({ failure }: { failure: unknown }) => {
  const t = useTranslations('serverSettings.conversion')
  const failureText = useFailureText()
  const isUnknown = failure instanceof ApiFailure && failure.status === 0
  return (
    <Notice tone="stop" role="alert">
      {failureText(failure)} {t(isUnknown ? 'unknown' : 'nothingCharged')}
    </Notice>
  )
}

type BuyProps = { server: Server; request: ConversionQuoteRequest; quote: ConversionQuote; isCurrent: boolean }

/** The one button that pays, after a question that names the sum and the time. */
const Buy = ({ server, request, quote, isCurrent }: BuyProps) => {
  const t = useTranslations('serverSettings.conversion')
  const tc = useTranslations('common')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const convert = useConvert(server.id)
  const [asking, setAsking] = useState(false)
  const [accepted, setAccepted] = useState(false)
  const changed = changedTermsOf(convert.error)
  const canBuy = isCurrent && quote.missingFt === 0 && (changed === undefined || accepted)
  const price = formatMoney(quote.totalFt, locale)
  const moment = (instant: string) => formatDate(instant, locale, { style: 'dateTime', timeZone })
  const close = () => setAsking(false)
  const buy = () => {
    const terms = changed === undefined ? {} : { termsVersion: changed }
    convert.mutate({ ...request, ...terms, expectedTotalFt: quote.totalFt }, { onSettled: close })
  }
  return (
    <>
      {quote.missingFt > 0 ? (
        <MissingMoney missingFt={quote.missingFt} topUp={t('topUp')}>
          {t('missing', { price: formatCount(quote.missingFt, locale) })}
        </MissingMoney>
      ) : null}
      {convert.error !== null && changed === undefined ? <Failure failure={convert.error} /> : null}
      {changed === undefined ? null : (
        <TermsConsent changed={changed} checked={accepted} tried={false} onCheck={setAccepted} />
      )}
      <Button look="primary" aria-disabled={!canBuy || undefined} onClick={() => setAsking(canBuy)}>
        {t('buy', { price })}
      </Button>
      <p className="help">
        {t.rich('terms', {
          terms: (text) => (
            <a className="link" href="/documents/terms" target="_blank" rel="noopener">
              {text}
            </a>
          ),
        })}
      </p>
      <Dialog
        open={asking}
        onClose={close}
        title={t('confirmTitle', { name: server.name })}
        closeLabel={tc('close')}
        actions={
          <>
            <Button onClick={close}>{tc('cancel')}</Button>
            <Button look="primary" busy={convert.isPending} onClick={buy}>
              {t('buy', { price })}
            </Button>
          </>
        }
      >
        <p>{t('confirm', { price, from: moment(quote.paidFrom), until: moment(quote.expiresAt) })}</p>
      </Dialog>
    </>
  )
}

const Choosing = ({ server, size, service }: { server: Server; size: ServerSize; service: Service }) => {
  const failureText = useFailureText()
  const [choice, setChoice] = useState(() => firstChoice(service, size))
  const request = requestOf(choice)
  const settled = useSettled(request)
  const query = useQuery(conversionQuery(server.id, settled))
  const isCurrent =
    !query.isPlaceholderData && query.error === null && JSON.stringify(request) === JSON.stringify(settled)
  const couponError = isOfCoupon(query.error) ? failureText(query.error) : undefined
  return (
    <div className="renewal">
      <ConversionChoiceFields
        service={service}
        choice={choice}
        couponError={couponError}
        onChange={(change) => setChoice((now) => ({ ...now, ...change }))}
      />
      {query.error !== null && couponError === undefined ? <Failure failure={query.error} /> : null}
      {query.data ? (
        <>
          <ConversionSum quote={query.data} stale={!isCurrent} />
          <Buy server={server} request={settled} quote={query.data} isCurrent={isCurrent} />
        </>
      ) : null}
    </div>
  )
}

/** Makes a paid server of a test server, until it is deleted three days after its end. */
export const ConversionPanel = ({ server, size }: { server: Server; size: ServerSize }) => {
  const t = useTranslations('serverSettings.conversion')
  const tm = useTranslations('serverSettings.modification')
  const tc = useTranslations('common')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const services = useQuery(servicesQuery())
  return (
    <Panel title={t('title')}>
      <p className="my-3">
        {t('text')} {t('ends', { date: formatDate(server.expiry, locale, { style: 'dateTime', timeZone }) })}{' '}
        <span className="t2">{t('oneEver')}</span>
      </p>
      <Region query={services} skeleton={<SkeletonRows rows={8} label={tc('loading')} />} failed={t('failed')}>
        {(list) => {
          const service = list.find(({ id }) => id === size.serviceId)
          return service ? <Choosing server={server} size={size} service={service} /> : <p>{tm('fixed')}</p>
        }}
      </Region>
    </Panel>
  )
}
