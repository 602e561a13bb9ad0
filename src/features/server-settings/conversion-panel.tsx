'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ConversionQuote, ConversionQuoteRequest } from '#contracts/http/conversion.ts'
import type { ServerSize } from '#contracts/http/modification.ts'
import type { Server } from '#contracts/http/server.ts'
import type { Service } from '#contracts/http/service.ts'
import { ApiFailure, couponRefusalOf, isUnknown } from '@/lib/browser-client/failure.ts'
import { servicesQuery } from '@/lib/queries/queries.ts'
import { useIsOff } from '@/lib/queries/use-switches.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney, quotedPrice } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { CouponField } from '@/lib/ordering/coupon-field.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { OrderingClosed } from '@/lib/ordering/ordering-closed.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useChangedTerms } from '@/lib/ordering/use-changed-terms.ts'
import { TermsConsent } from '@/lib/ordering/terms-consent.tsx'
import { useCoupon, useCouponRefusal } from '@/lib/ordering/use-coupon.ts'
import { ConversionChoiceFields, customSize } from './conversion-choice.tsx'
import type { ConversionChoice } from './conversion-choice.tsx'
import { ConversionSum } from './conversion-sum.tsx'
import { MissingMoney } from './missing-money.tsx'
import { useConversionQuote, useConvert } from './use-conversion.ts'

const requestOf = ({ size, resources, months }: ConversionChoice, coupon: string | null): ConversionQuoteRequest => ({
  ...(size === customSize ? { resources } : { packageId: size }),
  months,
  ...(coupon === null ? {} : { couponCode: coupon }),
})

/** The size of the test server, if it is for sale; else the first. */
const firstChoice = (service: Service, size: ServerSize): ConversionChoice => {
  const sizes = service.packages.filter(({ orderable }) => orderable)
  const found = sizes.find(({ id }) => id === size.packageId) ?? sizes[0]
  return { size: found?.id ?? customSize, resources: size.resources, months: 1 }
}

/** The page's reaction to the conversion: this panel is gone then. */
type OnBought = (server: Server) => void

type FailureProps = {
  failure: unknown
  /** An order was sent. A mere quote orders nothing, whatever its result. */
  wasAsked: boolean
}

const Failure = ({ failure, wasAsked }: FailureProps) => {
  const t = useTranslations('serverSettings.conversion')
  const failureText = useFailureText()
  return (
    <Notice tone="stop" role="alert">
      {failureText(failure)} {t(wasAsked && isUnknown(failure) ? 'unknown' : 'nothingCharged')}
    </Notice>
  )
}

type BuyProps = {
  server: Server
  request: ConversionQuoteRequest
  quote: ConversionQuote
  canBuy: boolean
  onBought: OnBought
}

/** The one pay button, after a confirmation that names sum and period. */
const Buy = ({ server, request, quote, onBought, ...props }: BuyProps) => {
  const t = useTranslations('serverSettings.conversion')
  const tc = useTranslations('common')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const convert = useConvert(server.id)
  const [asking, setAsking] = useState(false)
  const [accepted, setAccepted] = useState(false)
  const terms = useChangedTerms(convert.error)
  const { changed } = terms
  const canBuy = props.canBuy && quote.missingFt === 0 && (changed === undefined || accepted)
  const price = formatMoney(quote.totalFt, locale)
  const moment = (instant: string) => formatDate(instant, locale, { style: 'dateTime', timeZone })
  const close = () => setAsking(false)
  const buy = () => {
    terms.keep()
    const version = changed === undefined ? {} : { termsVersion: changed }
    const body = { ...request, ...version, expectedTotalFt: quote.totalFt }
    convert.mutate(body, { onSuccess: (answer) => onBought(answer.server), onSettled: close })
  }
  return (
    <>
      {quote.missingFt > 0 ? (
        <MissingMoney missingFt={quote.missingFt} topUp={t('topUp')}>
          {t('missing', { price: quotedPrice(quote.missingFt, locale) })}
        </MissingMoney>
      ) : null}
      {convert.error !== null && !terms.isRefused ? <Failure failure={convert.error} wasAsked /> : null}
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
            <Button aria-disabled={convert.isPending || undefined} onClick={convert.isPending ? undefined : close}>
              {tc('cancel')}
            </Button>
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

const isOfOrdering = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.code === 'ORDERING_DISABLED'

type ChoosingProps = { server: Server; size: ServerSize; service: Service; onBought: OnBought }

const Choosing = ({ server, size, service, onBought }: ChoosingProps) => {
  const failureText = useFailureText()
  const [choice, setChoice] = useState(() => firstChoice(service, size))
  const { choice: coupon, refuse } = useCoupon<ApiFailure>()
  const request = requestOf(choice, coupon.code)
  const { quote, failure, isCurrent } = useConversionQuote(server.id, request)
  useCouponRefusal(couponRefusalOf(failure), refuse)
  const isOff = useIsOff('couponUse')
  const isSwitchedOff = useIsOff('ordering')
  const isClosed = isSwitchedOff || isOfOrdering(failure)
  const hasFailed = failure !== null && couponRefusalOf(failure) === null && !isOfOrdering(failure)
  return (
    <div className="renewal">
      <OrderingClosed isClosed={isClosed} />
      <ConversionChoiceFields
        service={service}
        choice={choice}
        onChange={(change) => setChoice((now) => ({ ...now, ...change }))}
      />
      <CouponField coupon={{ ...coupon, refusal: coupon.refusal && failureText(coupon.refusal) }} isOff={isOff} />
      {hasFailed ? <Failure failure={failure} wasAsked={false} /> : null}
      {quote ? (
        <>
          <ConversionSum quote={quote} stale={!isCurrent} />
          <Buy server={server} request={request} quote={quote} canBuy={isCurrent && !isClosed} onBought={onBought} />
        </>
      ) : null}
    </div>
  )
}

type PanelProps = { server: Server; size: ServerSize; onBought: OnBought }

/** Converts a test server to a paid one, until it is deleted three days after its end. */
export const ConversionPanel = ({ server, size, onBought }: PanelProps) => {
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
          if (!service) return <p>{tm('fixed')}</p>
          return <Choosing server={server} size={size} service={service} onBought={onBought} />
        }}
      </Region>
    </Panel>
  )
}
