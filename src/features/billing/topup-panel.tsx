'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent, RefObject } from 'react'
import { TopupAnswer, TOPUP_MINIMUM_FT } from '#contracts/http/balance.ts'
import type { Balance, TopupRequest } from '#contracts/http/balance.ts'
import { changedTermsOf } from '@/lib/browser-client/failure.ts'
import { balanceQuery } from '@/lib/queries/queries.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'
import { formatCount, formatMoney } from '@/lib/format/money.ts'
import { usePageReturn } from '@/ui/screen/use-page-return.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Radio } from '@/ui/controls/choice.tsx'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Field } from '@/ui/controls/field.tsx'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import { Mark, Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Stops } from '@/ui/controls/stops.tsx'
import { TermsConsent } from '@/lib/ordering/terms-consent.tsx'
import { readAmount } from './forint-input.ts'
import { lastsText } from './lasts-text.ts'
import { TariffChoice } from './tariff-choice.tsx'
import { usePriceOf } from './use-price-of.ts'
import { useRunway } from './use-runway.ts'

const presets = [2_000, 5_000, 10_000, 20_000] as const
const firstAmount = 5_000

const useTopup = (onTermsChanged: () => void) =>
  useKeyedMutation<TopupRequest, typeof TopupAnswer>({
    path: '/api/balance/topup',
    schema: TopupAnswer,
    onDone: ({ redirectUrl }) => window.location.assign(redirectUrl),
    onRefused: (failure) => {
      if (changedTermsOf(failure) !== undefined) onTermsChanged()
    },
    stale: [],
  })

const knownMethods = ['sandbox', 'barion', 'paypal', 'stripe', 'phone'] as const
const isKnown = (id: string): id is (typeof knownMethods)[number] => (knownMethods as readonly string[]).includes(id)

type MethodsProps = { methods: Balance['methods']; chosen: string; onChoose: (id: string) => void }

const Methods = ({ methods, chosen, onChoose }: MethodsProps) => {
  const t = useTranslations('balance')
  return (
    <fieldset>
      <legend className="label mb-2">{t('method')}</legend>
      <ul className="meth">
        {methods.map((method) => (
          <li key={method.id}>
            <Radio name="method" value={method.id} checked={method.id === chosen} onChange={() => onChoose(method.id)}>
              <b>{isKnown(method.id) ? t(`methods.${method.id}`) : method.id}</b>
              {method.sandbox ? (
                <>
                  {' '}
                  <Mark>{t('sandbox')}</Mark>
                  <small>{t('sandboxNote')}</small>
                </>
              ) : null}
            </Radio>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** The amount from another page (`?amount=`), if it is a valid top-up. */
const askedAmount = (): number => {
  if (typeof window === 'undefined') return firstAmount
  const asked = readAmount(new URLSearchParams(window.location.search).get('amount') ?? '', 'en')
  return asked.ok ? asked.amountFt : firstAmount
}

const AmountField = ({
  field,
  typed,
  onType,
  error,
}: {
  field: RefObject<HTMLInputElement | null>
  typed: string
  onType: (text: string) => void
  error?: string | undefined
}) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const read = readAmount(typed, locale)
  return (
    <div className="amount">
      <Field
        ref={field}
        label={t('amount')}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onBlur={() => {
          if (read.ok) onType(formatCount(read.amountFt, locale))
        }}
        help={t('amountHelp', { minimum: formatMoney(TOPUP_MINIMUM_FT, locale) })}
        error={error}
        end={<span className="field__unit">Ft</span>}
      />
      <Stops
        name="preset"
        legend={t('presets')}
        legendHidden
        value={read.ok ? String(read.amountFt) : ''}
        choices={presets.map((preset) => ({ value: String(preset), label: formatCount(preset, locale) }))}
        onChange={(value) => onType(formatCount(Number(value), locale))}
      />
    </div>
  )
}

/** The balance after the top-up, and how long it will last if anything is due. */
const After = ({ balance, amountFt }: { balance: Pick<Balance, 'balanceFt' | 'debtFt'>; amountFt: number }) => {
  const { balanceFt, debtFt } = balance
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const runway = useRunway(amountFt)
  const until = runway ? lastsText(t, { locale, timeZone }, runway.lasts) : '–'
  const paidDebtFt = Math.min(debtFt, amountFt)
  const bold = (text: string) => <b className="b">{text}</b>
  return (
    <MoneyLine
      rows={[
        ...(debtFt > 0
          ? [{ id: 'debt', term: t('debtPaid'), amount: amountFt > 0 ? formatMoney(-paidDebtFt, locale) : '–' }]
          : []),
        {
          id: 'after',
          term: t('newBalance'),
          amount: bold(amountFt > 0 ? formatMoney(balanceFt + amountFt - paidDebtFt, locale) : '–'),
        },
        ...(runway && runway.lasts.kind !== 'nothing-due'
          ? [{ id: 'until', term: t('lasts'), amount: bold(amountFt > 0 ? until : '–') }]
          : []),
      ]}
    />
  )
}

type OnAmount = (amountFt: number) => void

const TopupForm = ({ balance, onAmount }: { balance: Balance; onAmount: OnAmount }) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const failureText = useFailureText()
  const [typed, setTyped] = useState(() => formatCount(askedAmount(), locale))
  const [methodId, setMethodId] = useState(balance.methods[0]?.id ?? '')
  const [terms, setTerms] = useState(false)
  const [tried, setTried] = useState(false)
  const topup = useTopup(() => {
    setTerms(false)
    setTried(false)
  })
  // Changed terms need a new consent: the site says which version is current.
  const changedTerms = changedTermsOf(topup.error)
  usePageReturn(topup.reset)
  const amountField = useRef<HTMLInputElement>(null)
  const termsBox = useRef<HTMLInputElement>(null)
  const method = balance.methods.find(({ id }) => id === methodId)
  const price = usePriceOf(method, typed)
  const { creditedFt } = price
  useEffect(() => onAmount(creditedFt), [creditedFt, onAmount])
  const limits = { minimum: formatMoney(price.minimumFt, locale), maximum: formatMoney(price.maximumFt, locale) }
  const refusal = tried && !price.read.ok ? t(`amountErrors.${price.read.code}`, limits) : undefined
  const busy = topup.isPending || topup.isSuccess

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!price.read.ok) amountField.current?.focus()
    else if (!terms) termsBox.current?.focus()
    if (busy || !price.read.ok || !terms || methodId === '') return
    const termsVersion = changedTerms === undefined ? {} : { termsVersion: changedTerms }
    const kind = price.tariff ? { kind: price.tariff.kind } : {}
    topup.mutate({ amount: price.read.amountFt, method: methodId, ...kind, acceptTerms: true, ...termsVersion })
  }

  if (balance.methods.length === 0) return <p className="t2 py-3">{t('noMethods')}</p>
  return (
    <form className="stack pt-1" onSubmit={submit} noValidate>
      {price.tariffs.length > 0 ? (
        <TariffChoice tariffs={price.tariffs} chosen={price.tariff} onChoose={price.choose} />
      ) : (
        <AmountField field={amountField} typed={typed} onType={setTyped} error={refusal} />
      )}
      <Methods methods={balance.methods} chosen={methodId} onChoose={setMethodId} />
      <After balance={balance} amountFt={creditedFt} />
      <TermsConsent box={termsBox} checked={terms} tried={tried} onCheck={setTerms} changed={changedTerms} />
      {topup.isError && changedTerms === undefined ? (
        <Notice tone="stop" role="alert">
          {failureText(topup.error)} {t('notCharged')}
        </Notice>
      ) : null}
      <Button type="submit" look="primary" wide className="btn-order" busy={busy}>
        {busy ? t('starting') : <PayLabel price={price} />}
      </Button>
    </form>
  )
}

const PayLabel = ({ price }: { price: ReturnType<typeof usePriceOf> }) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  if (price.tariff) return t('phone.show')
  return price.read.ok ? t('pay', { amount: formatMoney(price.read.amountFt, locale) }) : t('payBare')
}

/** Top-up: amount, method, resulting balance, consent, payment. */
export const TopupPanel = ({ onAmount }: { onAmount: OnAmount }) => {
  const t = useTranslations('balance')
  const tc = useTranslations('common')
  const query = useQuery(balanceQuery())
  return (
    <Panel title={t('topUp')} className="order-first">
      <Region query={query} skeleton={<SkeletonRows rows={5} label={tc('loading')} />} failed={t('methodsFailed')}>
        {(balance) => <TopupForm balance={balance} onAmount={onAmount} />}
      </Region>
    </Panel>
  )
}
