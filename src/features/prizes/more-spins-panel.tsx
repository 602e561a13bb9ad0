'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { WheelView } from '#contracts/http/spin.ts'
import type { SpinCouponRequest, SpinPurchase } from '#contracts/http/spin.ts'
import { useIsOff } from '@/lib/queries/use-switches.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { prizeKeys } from './prize-queries.ts'
import { usePurchase } from './use-purchase.ts'

/** A typed count, or null for anything but a whole number within the bounds. */
const readCount = (typed: string, most: number): number | null => {
  const count = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0
  return count >= 1 && count <= most ? count : null
}

const useMore = <Body extends object>(path: '/api/spin/buy' | '/api/spin/coupon', onDone: () => void) => {
  const client = useQueryClient()
  return usePurchase<Body, typeof WheelView>({
    path,
    schema: WheelView,
    onDone: (wheel) => {
      client.setQueryData<WheelView>(prizeKeys.wheel, wheel)
      onDone()
    },
  })
}

const Buying = ({ view }: { view: WheelView }) => {
  const t = useTranslations('spin')
  const tr = useTranslations('refusals')
  const locale = useLocale()
  const failureText = useFailureText()
  const [typed, setTyped] = useState('1')
  const [tried, setTried] = useState(false)
  const { priceFt, most } = view.buying
  const count = readCount(typed, most)
  const buying = useMore<SpinPurchase>('/api/spin/buy', () => setTried(false))
  const error =
    tried && count === null ? tr('invalidSpinCount') : buying.error === null ? undefined : failureText(buying.error)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (count !== null && !buying.isPending) buying.mutate({ count, expectedPriceFt: count * priceFt })
      }}
    >
      <Field
        label={t('buy.count')}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={error}
        help={t('buy.price', { price: formatMoney(priceFt, locale) })}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" wide className="mt-3" busy={buying.isPending}>
        {count === null ? t('buy.action') : t('buy.pay', { price: formatMoney(count * priceFt, locale) })}
      </Button>
      {view.legalNote === '' ? null : <p className="help mt-3">{view.legalNote}</p>}
    </form>
  )
}

const Redeeming = () => {
  const t = useTranslations('spin')
  const failureText = useFailureText()
  const [code, setCode] = useState('')
  const redeeming = useMore<SpinCouponRequest>('/api/spin/coupon', () => setCode(''))
  const tw = useTranslations('switches')
  const isOff = useIsOff('couponUse')
  if (isOff) return <p className="help mt-4">{tw('couponUse')}</p>
  return (
    <form
      noValidate
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() !== '' && !redeeming.isPending) redeeming.mutate({ code: code.trim() })
      }}
    >
      <Field
        label={t('coupon.label')}
        value={code}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={redeeming.error === null ? undefined : failureText(redeeming.error)}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" wide className="mt-3" busy={redeeming.isPending}>
        {t('coupon.action')}
      </Button>
    </form>
  )
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
