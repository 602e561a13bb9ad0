'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import { ServerName } from '#contracts/http/order.ts'
import type { Service } from '#contracts/http/service.ts'
import { couponRefusalOf } from '@/lib/browser-client/failure.ts'
import type { ApiFailure } from '@/lib/browser-client/failure.ts'
import { balanceQuery, serversQuery } from '@/lib/queries/queries.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Stops } from '@/ui/controls/stops.tsx'
import { useCoupon, useCouponRefusal } from '@/lib/ordering/use-coupon.ts'
import { GameFacts } from './game-facts.tsx'
import { PricePanel } from './price-panel.tsx'
import { firstChoice, quoteRequestOf, suggestedName } from './rent-choice.ts'
import type { RentChoice } from './rent-choice.ts'
import { forgetChoice, keepChoice, restoredChoice } from './rent-draft.ts'
import { SizeGuide, SizeStep } from './size-step.tsx'
import { useOrder, useOrderQuote } from './use-order.ts'

/** Invisible characters, which names must not contain: controls, direction marks, joiners. */
const hasHidden = (name: string) => /\p{C}/u.test(name)

const months = [1, 2, 3, 4, 5, 6] as const

type StepsProps = {
  service: Service
  choice: RentChoice
  name: string
  nameField: RefObject<HTMLInputElement | null>
  nameError: string | undefined
  paidUntil: string | undefined
  onChange: (change: Partial<RentChoice>) => void
}

const Steps = ({ service, choice, name, nameField, nameError, paidUntil, onChange }: StepsProps) => {
  const t = useTranslations('services')
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (
    <ol className="steps flow">
      <li className="full">
        <span className="dot" />
        <h3>{t('steps.game')}</h3>
        <p className="t2 mb-3">{service.description}</p>
        <GameFacts service={service} />
        <Field
          label={t('serverName')}
          ref={nameField}
          value={name}
          maxLength={48}
          autoComplete="off"
          error={nameError}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </li>
      <li className="full">
        <span className="dot" />
        <h3>
          {t('steps.size')}
          <SizeGuide service={service} choice={choice} />
        </h3>
        <SizeStep service={service} choice={choice} onChange={onChange} />
      </li>
      <li className="full">
        <span className="dot" />
        <h3>
          {t('steps.period')}
          {paidUntil ? (
            <small>{t('until', { date: formatDate(paidUntil, locale, { style: 'date', timeZone }) })}</small>
          ) : null}
        </h3>
        <Stops
          name="months"
          legend={t('steps.period')}
          legendHidden
          value={String(choice.months)}
          choices={months.map((count) => ({ value: String(count), label: t('monthsShort', { count }) }))}
          onChange={(value) => onChange({ months: Number(value) })}
        />
      </li>
    </ol>
  )
}

/** The choice, stored across a top-up and a reload. */
const useChoice = (service: Service, asked: string | null) => {
  const [choice, setChoice] = useState<RentChoice>(() => restoredChoice(service, asked, firstChoice(service, asked)))
  const change = (part: Partial<RentChoice>) => {
    const next = { ...choice, ...part }
    setChoice(next)
    keepChoice(service, asked, next)
  }
  return [choice, change] as const
}

type RentFlowProps = {
  service: Service
  /** The clicked package, if any. */
  asked: string | null
}

/** Renting in three steps of one form: all can be filled in at any time, and the price follows. */
export const RentFlow = ({ service, asked }: RentFlowProps) => {
  const t = useTranslations('services')
  const locale = useLocale()
  const [choice, change] = useChoice(service, asked)
  const [tried, setTried] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  const price = useRef<HTMLElement>(null)
  const balance = useQuery(balanceQuery()).data
  const servers = useQuery(serversQuery()).data
  const name = choice.name ?? suggestedName(service.name, servers?.map((server) => server.name) ?? [])
  const coupon = useCoupon<ApiFailure>()
  const request = quoteRequestOf(service, choice, coupon.choice.code)
  const quote = useOrderQuote(request, balance?.balanceFt)
  useCouponRefusal(couponRefusalOf(quote.failure), coupon.refuse)
  const order = useOrder({ onOrdered: () => forgetChoice(service), onPriceChanged: quote.retry })
  const hasName = ServerName.safeParse(name).success
  const canOrder = quote.isCurrent && quote.quote?.missingFt === 0

  const place = (termsVersion?: string) => {
    setTried(true)
    if (!hasName) nameField.current?.focus()
    if (!request || !quote.quote || !canOrder || !hasName || order.isPending || order.isSuccess) return
    const terms = termsVersion === undefined ? {} : { termsVersion }
    order.mutate({ ...request, ...terms, name: name.trim(), expectedTotalFt: quote.quote.totalFt })
  }

  return (
    <div className="rentgrid">
      <div className="min-w-0">
        <Steps
          service={service}
          choice={choice}
          name={name}
          nameField={nameField}
          nameError={tried && !hasName ? t(hasHidden(name) ? 'nameHidden' : 'nameNeeded') : undefined}
          paidUntil={quote.quote?.expiresAt}
          onChange={change}
        />
        <div className="paybar">
          <span className="grow">
            <b>{quote.quote ? formatMoney(quote.quote.totalFt, locale) : '…'}</b>
            <span className="small t2">
              {t(quote.quote?.vatFt === 0 ? 'price.months' : 'paybar', { count: choice.months })}
            </span>
          </span>
          <Button look="primary" onClick={() => price.current?.focus()}>
            {t('toPrice')}
          </Button>
        </div>
      </div>
      <PricePanel
        place={price}
        state={quote}
        coupon={coupon.choice}
        order={{ isBusy: order.isPending || order.isSuccess, failure: order.error, place }}
        canOrder={canOrder}
      />
    </div>
  )
}
