'use client'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import * as z from 'zod'
import { TopupAnswer, TopupRequest, TOPUP_MINIMUM_FT } from '#contracts/http/balance.ts'
import type { Balance } from '#contracts/http/balance.ts'
import { balanceQuery } from '@/lib/queries/queries.ts'
import { useKeyedMutation } from '@/lib/browser-client/use-keyed-mutation.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
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
import { useChangedTerms } from '@/lib/ordering/use-changed-terms.ts'
import { TermsConsent } from '@/lib/ordering/terms-consent.tsx'
import { readAmount } from './forint-input.ts'
import { lastsText } from './lasts-text.ts'
import { TariffChoice } from './tariff-choice.tsx'
import { usePriceOf } from './use-price-of.ts'
import type { PriceOf } from './use-price-of.ts'
import { useRunway } from './use-runway.ts'
import { isNamedMethod } from './named-methods.ts'

const presets = [2_000, 5_000, 10_000, 20_000] as const
const firstAmount = 5_000

const useTopup = () =>
  useKeyedMutation<TopupRequest, typeof TopupAnswer>({
    path: '/api/balance/topup',
    schema: TopupAnswer,
    onDone: ({ redirectUrl }) => window.location.assign(redirectUrl),
    stale: [],
  })

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
              <b>{isNamedMethod(method.id) ? t(`methods.${method.id}`) : method.id}</b>
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

/** The amount that another page asks for (`?amount=`), if it is a valid top-up. */
const useAskedAmount = (): number => {
  const asked = readAmount(useSearchParams().get('amount') ?? '', 'en')
  return asked.ok ? asked.amountFt : firstAmount
}

type AmountProps = {
  input: UseFormRegisterReturn
  typed: string
  onChoose: (text: string) => void
  error: string | undefined
}

const AmountField = ({ input, typed, onChoose, error }: AmountProps) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const read = readAmount(typed, locale)
  return (
    <div className="amount">
      <Field
        label={t('amount')}
        inputMode="numeric"
        autoComplete="off"
        help={t('amountHelp', { minimum: formatMoney(TOPUP_MINIMUM_FT, locale) })}
        error={error}
        end={<span className="field__unit">Ft</span>}
        {...input}
      />
      <Stops
        name="preset"
        legend={t('presets')}
        legendHidden
        value={read.ok ? String(read.amountFt) : ''}
        choices={presets.map((preset) => ({ value: String(preset), label: formatCount(preset, locale) }))}
        onChange={(value) => onChoose(formatCount(Number(value), locale))}
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

/** The body of the request, with the amount as it is typed. */
const TypedTopup = TopupRequest.pick({ method: true, acceptTerms: true }).extend({ amount: z.string() })
type TypedTopup = z.infer<typeof TypedTopup>

/** The form with the refusals of its amount and of the missing consent in the reader's language. */
const useRefusing = (priceOf: (typed: TypedTopup) => PriceOf) => {
  const t = useTranslations('balance')
  const tc = useTranslations('consent')
  const locale = useLocale()
  return TypedTopup.check(({ value, issues }) => {
    const { read, minimumFt, maximumFt } = priceOf(value)
    const limits = { minimum: formatMoney(minimumFt, locale), maximum: formatMoney(maximumFt, locale) }
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', path: [field], message, input: value })
    if (!read.ok) refuse('amount', t(`amountErrors.${read.code}`, limits))
    if (!value.acceptTerms) refuse('acceptTerms', tc('needed'))
  })
}

const useTopupForm = (balance: Balance, askedFt: number) => {
  const locale = useLocale()
  const topup = useTopup()
  const priceOf = usePriceOf(balance.methods)
  // If the terms changed, consent is requested again with the version that applies now.
  const terms = useChangedTerms(topup.error)
  const changedTerms = terms.changed
  usePageReturn(topup.reset)
  const made = useApiForm({
    schema: useRefusing(priceOf),
    defaultValues: {
      amount: formatCount(askedFt, locale),
      method: balance.methods[0]?.id ?? '',
      acceptTerms: false,
    },
    fields: ['amount', 'method', 'acceptTerms'],
    send: (typed) => {
      const { read, tariff } = priceOf(typed)
      terms.keep()
      return topup.mutateAsync({
        amount: read.ok ? read.amountFt : 0,
        method: typed.method,
        ...(tariff ? { kind: tariff.kind } : {}),
        acceptTerms: true,
        ...(changedTerms === undefined ? {} : { termsVersion: changedTerms }),
      })
    },
  })
  const { form } = made
  // The accepted terms are outdated: the box is emptied without an error.
  useEffect(() => {
    if (changedTerms !== undefined) form.resetField('acceptTerms')
  }, [changedTerms, form])
  const choose = <Name extends keyof TypedTopup>(name: Name, value: TypedTopup[Name]) =>
    form.setValue<Name>(name, value as never, { shouldValidate: form.formState.isSubmitted })
  const typed = form.watch()
  return { ...made, topup, terms, typed, price: priceOf(typed), choose }
}

type TopupFormProps = { balance: Balance; askedFt: number; onAmount: OnAmount }

const TopupForm = ({ balance, askedFt, onAmount }: TopupFormProps) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const failureText = useFailureText()
  const { form, submit, failure, errorOf, topup, terms, typed, price, choose } = useTopupForm(balance, askedFt)
  const { creditedFt } = price
  useEffect(() => onAmount(creditedFt), [creditedFt, onAmount])
  const isBusy = topup.isPending || topup.isSuccess
  const group = () => {
    if (price.read.ok) choose('amount', formatCount(price.read.amountFt, locale))
  }

  if (balance.methods.length === 0) return <p className="t2 py-3">{t('noMethods')}</p>
  return (
    <form
      className="stack pt-1"
      onSubmit={(event) => (isBusy ? event.preventDefault() : void submit(event))}
      noValidate
      method="post"
    >
      {price.tariffs.length > 0 ? (
        <TariffChoice tariffs={price.tariffs} chosen={price.tariff} onChoose={price.choose} />
      ) : (
        <AmountField
          input={form.register('amount', { onBlur: group })}
          typed={typed.amount}
          onChoose={(text) => choose('amount', text)}
          error={errorOf('amount')}
        />
      )}
      <Methods methods={balance.methods} chosen={typed.method} onChoose={(id) => choose('method', id)} />
      <After balance={balance} amountFt={creditedFt} />
      <TermsConsent
        box={form.register('acceptTerms').ref}
        checked={typed.acceptTerms}
        tried={errorOf('acceptTerms') !== undefined}
        onCheck={(checked) => choose('acceptTerms', checked)}
        changed={terms.changed}
      />
      {failure !== null && topup.isError && !terms.isRefused ? (
        <Notice tone="stop" role="alert">
          {failureText(failure)} {t('notCharged')}
        </Notice>
      ) : null}
      <Button type="submit" look="primary" wide className="btn-order" busy={isBusy}>
        {isBusy ? t('starting') : <PayLabel price={price} />}
      </Button>
    </form>
  )
}

/** Another amount in the address, from a link of this page or of the one before, begins the form anew. */
const AskedTopup = (props: Omit<TopupFormProps, 'askedFt'>) => {
  const askedFt = useAskedAmount()
  return <TopupForm key={askedFt} askedFt={askedFt} {...props} />
}

const PayLabel = ({ price }: { price: PriceOf }) => {
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
        {(balance) => <AskedTopup balance={balance} onAmount={onAmount} />}
      </Region>
    </Panel>
  )
}
