'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import * as z from 'zod'
import { SpinCouponRequest, SpinPurchase, WheelView } from '#contracts/http/spin.ts'
import { useIsOff } from '@/lib/queries/use-switches.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { prizeKeys } from './prize-queries.ts'
import { usePurchase } from './use-purchase.ts'

/** A typed count; NaN for anything but digits. */
const readCount = (typed: unknown): number => {
  const text = String(typed).trim()
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
}

const useMore = <Body extends object>(path: '/api/spin/buy' | '/api/spin/coupon') => {
  const client = useQueryClient()
  return usePurchase<Body, typeof WheelView>({
    path,
    schema: WheelView,
    onDone: (wheel) => client.setQueryData<WheelView>(prizeKeys.wheel, wheel),
  })
}

const useBuying = ({ priceFt, most }: WheelView['buying']) => {
  const tr = useTranslations('refusals')
  const buying = useMore<SpinPurchase>('/api/spin/buy')
  const refusal = { error: tr('invalidSpinCount') }
  const schema = SpinPurchase.extend({ count: z.int(refusal).min(1, refusal).max(most, refusal) })
  const made = useApiForm({
    schema,
    defaultValues: { count: 1 },
    fields: ['count'],
    send: ({ count }) => buying.mutateAsync({ count, expectedPriceFt: count * priceFt }),
  })
  const count = schema.shape.count.safeParse(made.form.watch('count')).data
  return { ...made, priceFt: count === undefined ? undefined : count * priceFt }
}

const Buying = ({ view }: { view: WheelView }) => {
  const t = useTranslations('spin')
  const locale = useLocale()
  const failureText = useFailureText()
  const { form, submit, failure, isBusy, errorOf, priceFt } = useBuying(view.buying)
  return (
    <form noValidate method="post" aria-busy={isBusy} onSubmit={(event) => void submit(event)}>
      <Field
        label={t('buy.count')}
        inputMode="numeric"
        autoComplete="off"
        error={errorOf('count') ?? (failure === null ? undefined : failureText(failure))}
        help={t('buy.price', { price: formatMoney(view.buying.priceFt, locale) })}
        {...form.register('count', { setValueAs: readCount })}
      />
      <Button type="submit" wide className="mt-3" busy={isBusy}>
        {priceFt === undefined ? t('buy.action') : t('buy.pay', { price: formatMoney(priceFt, locale) })}
      </Button>
      {view.legalNote === '' ? null : <p className="help mt-3">{view.legalNote}</p>}
    </form>
  )
}

const CouponForm = () => {
  const t = useTranslations('spin')
  const failureText = useFailureText()
  const redeeming = useMore<SpinCouponRequest>('/api/spin/coupon')
  const { form, submit, failure, isBusy, errorOf } = useApiForm({
    schema: SpinCouponRequest.extend({ code: SpinCouponRequest.shape.code.min(1) }),
    defaultValues: { code: '' },
    fields: ['code'],
    send: (body) => redeeming.mutateAsync(body),
    onDone: (_wheel, filled) => filled.reset(),
  })
  return (
    <form noValidate method="post" aria-busy={isBusy} className="mt-4" onSubmit={(event) => void submit(event)}>
      <Field
        label={t('coupon.label')}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={errorOf('code') ?? (failure === null ? undefined : failureText(failure))}
        {...form.register('code')}
      />
      <Button type="submit" wide className="mt-3" busy={isBusy}>
        {t('coupon.action')}
      </Button>
    </form>
  )
}

const Redeeming = () => {
  const tw = useTranslations('switches')
  return useIsOff('couponUse') ? <p className="help mt-4">{tw('couponUse')}</p> : <CouponForm />
}

/** Sources of more spins: a purchase, if the host sells them, or a spin coupon. */
export const MoreSpinsPanel = ({ view }: { view: WheelView }) => {
  const t = useTranslations('spin')
  return (
    <Panel title={t('more')}>
      {view.buying.isOn ? <Buying view={view} /> : <p className="t2 py-3">{t('buy.off')}</p>}
      <Redeeming />
    </Panel>
  )
}
