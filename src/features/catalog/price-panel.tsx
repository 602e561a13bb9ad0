'use client'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { Quote } from '#contracts/http/order.ts'
import { suggestedTopUpFt } from '#domain/payments/top-up.ts'
import { ApiFailure, couponRefusalOf, isUnknown } from '@/lib/browser-client/failure.ts'
import { useIsOff } from '@/lib/queries/use-switches.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney, quotedPrice } from '@/lib/format/money.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { rememberWayBack } from '@/lib/navigation/way-back.ts'
import { Button, buttonClass } from '@/ui/controls/button.tsx'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { CouponField } from '@/lib/ordering/coupon-field.tsx'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import type { MoneyRow } from '@/ui/surfaces/money-line.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { OrderingClosed } from '@/lib/ordering/ordering-closed.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { StepLine } from '@/ui/signs/step-line.tsx'
import { useChangedTerms } from '@/lib/ordering/use-changed-terms.ts'
import { TermsConsent } from '@/lib/ordering/terms-consent.tsx'
import type { CouponChoice } from '@/lib/ordering/use-coupon.ts'
import { usePriceRows } from '@/lib/ordering/use-price-rows.ts'
import type { QuoteState } from '@/lib/ordering/use-quote.ts'
import { OrderFailed } from './use-order.ts'

type Wording = { t: ReturnType<typeof useTranslations<'services'>>; money: (amount: number) => string }

/** The parts of the monthly fee, if it is more than one package. */
const resourceRows = ({ parts }: Quote, { t, money }: Wording): MoneyRow[] =>
  parts.flatMap((part) => {
    if (part.kind !== 'resource' || part.key === 'package') return []
    const term = isResource(part.key) ? t(`resources.${part.key}`) : t('price.points', { count: part.quantity })
    return [{ id: part.key, term, amount: money(part.monthlyFt) }]
  })

const isResource = (key: string): key is 'cpuPercent' | 'ramMiB' | 'storageMiB' =>
  key === 'cpuPercent' || key === 'ramMiB' || key === 'storageMiB'

const Sum = ({ quote, stale }: { quote: Quote; stale: boolean }) => {
  const t = useTranslations('services')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const money = (amount: number) => formatMoney(amount, locale)
  const { priceRows, discountRows } = usePriceRows()
  const rows: MoneyRow[] = [...resourceRows(quote, { t, money }), ...priceRows(quote, discountRows(quote.parts))]
  return (
    <div className={clsx(stale && 'stale')} aria-busy={stale}>
      <MoneyLine rows={rows} />
      <dl className="money after">
        <div>
          <dt>{t('price.balanceAfter')}</dt>
          <dd>{quote.missingFt > 0 ? '–' : money(quote.balanceAfterFt)}</dd>
        </div>
        <div>
          <dt>{t('price.paidUntil')}</dt>
          <dd>{formatDate(quote.expiresAt, locale, { style: 'date', timeZone })}</dd>
        </div>
        <div>
          <dt>{t('price.renewal')}</dt>
          <dd>{money(quote.renewalFt)}</dd>
        </div>
      </dl>
    </div>
  )
}

/** The specification's sentence with a link: the balance page opens with the missing amount, rounded up to hundreds. */
const Missing = ({ missingFt }: { missingFt: number }) => {
  const t = useTranslations('services')
  const tr = useTranslations('refusals')
  const locale = useLocale()
  return (
    <Notice
      tone="wait"
      role="status"
      className="my-3"
      action={
        <PageLink
          className={buttonClass({ look: 'primary', size: 's' })}
          href={`/dashboard/balance/summary?amount=${suggestedTopUpFt(missingFt)}`}
          onClick={() => rememberWayBack(window.location.pathname + window.location.search)}
        >
          {t('topUp')}
        </PageLink>
      }
    >
      {tr('needExtra', { price: quotedPrice(missingFt, locale) })}
    </Notice>
  )
}

/** The failure, and where the money is. */
export const OrderFailure = ({ failure }: { failure: unknown }) => {
  const t = useTranslations('services')
  const failureText = useFailureText()
  if (failure instanceof ApiFailure && failure.code === 'INSUFFICIENT_BALANCE') {
    return <Missing missingFt={Number(failure.params.price ?? 0)} />
  }
  const isRefused = failure instanceof ApiFailure && failure.status >= 400 && failure.status < 500
  return (
    <Notice tone="stop" role="alert" className="my-3">
      {failure instanceof OrderFailed ? `${t('orderFailed')} ${failure.message}` : failureText(failure)}{' '}
      {t(isUnknown(failure) ? 'orderUnknown' : isRefused ? 'nothingCharged' : 'moneyBack')}
    </Notice>
  )
}

type PricePanelProps = {
  place: RefObject<HTMLElement | null>
  state: QuoteState<Quote>
  coupon: CouponChoice<ApiFailure>
  order: { isBusy: boolean; failure: unknown; place: (termsVersion?: string) => void }
  canOrder: boolean
}

const Ordering = ({ state, order, canOrder }: Omit<PricePanelProps, 'coupon' | 'place'>) => {
  const t = useTranslations('services')
  const missing = state.quote?.missingFt ?? 0
  const [accepted, setAccepted] = useState(false)
  const [tried, setTried] = useState(false)
  const isClosed = useIsOff('ordering')
  const terms = useChangedTerms(order.failure)
  const { changed } = terms
  const place = () => {
    terms.keep()
    setTried(changed !== undefined)
    if (changed === undefined || accepted) order.place(changed)
  }
  return (
    <>
      {state.quote && missing > 0 ? <Missing missingFt={missing} /> : null}
      {order.failure !== null && missing === 0 && !terms.isRefused ? <OrderFailure failure={order.failure} /> : null}
      {changed === undefined ? null : (
        <div className="mt-3 grid gap-3">
          <TermsConsent changed={changed} checked={accepted} tried={tried} onCheck={setAccepted} />
        </div>
      )}
      <OrderingClosed isClosed={isClosed} />
      <Button
        look="primary"
        wide
        className="btn-order mt-3"
        busy={order.isBusy}
        aria-disabled={!canOrder || isClosed || undefined}
        onClick={isClosed ? undefined : place}
      >
        {order.isBusy ? t('ordering') : t('order')}
      </Button>
      <p className="help mt-3">{t('orderHelp')}</p>
      <p className="help mt-2">
        {t.rich('orderTerms', {
          terms: (text) => (
            <a className="link" href="/documents/terms" target="_blank" rel="noopener">
              {text}
            </a>
          ),
        })}
      </p>
    </>
  )
}

const WhatNext = (): ReactNode => {
  const t = useTranslations('services')
  return (
    <>
      <h3 className="price-h mt-4">{t('next.title')}</h3>
      <StepLine
        className="next"
        atPx={14}
        steps={(['charge', 'install', 'play'] as const).map((id) => ({
          id,
          state: 'ahead',
          children: <span>{t(`next.${id}`)}</span>,
        }))}
      />
    </>
  )
}

/** The sum, the resulting balance, date and price of the renewal, and the one order button. */
export const PricePanel = ({ place, ...props }: PricePanelProps) => {
  const t = useTranslations('services')
  const tc = useTranslations('common')
  const failureText = useFailureText()
  const { state, coupon } = props
  const isOff = useIsOff('couponUse')
  const refusal = coupon.refusal && failureText(coupon.refusal)
  return (
    <section className="price" aria-labelledby="price-title" ref={place} tabIndex={-1}>
      <h3 className="price-h" id="price-title">
        {t('price.title')}
      </h3>
      {state.quote ? <Sum quote={state.quote} stale={!state.isCurrent} /> : null}
      {!state.quote && state.failure === null ? <SkeletonRows rows={7} label={tc('loading')} /> : null}
      {state.failure === null || couponRefusalOf(state.failure) !== null ? null : (
        <Notice
          tone="stop"
          role="alert"
          className="my-3"
          action={
            <Button size="s" onClick={state.retry}>
              {tc('retry')}
            </Button>
          }
        >
          {failureText(state.failure)} {t('nothingCharged')}
        </Notice>
      )}
      <CouponField coupon={{ ...coupon, refusal }} isOff={isOff} />
      <Ordering {...props} />
      <WhatNext />
    </section>
  )
}
