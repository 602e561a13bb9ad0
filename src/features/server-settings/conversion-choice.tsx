'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Service } from '#contracts/http/service.ts'
import { formatMoney } from '@/lib/format-money.ts'
import { Button } from '@/ui/button.tsx'
import { Field } from '@/ui/field.tsx'
import { Stops } from '@/ui/stops.tsx'
import { SizeSliders } from './size-sliders.tsx'
import type { Sizes } from './size-sliders.tsx'

export const customSize = 'custom'
export type ConversionChoice = {
  /** A package's id, or `custom` for a size of one's own. */
  readonly size: string
  readonly resources: Sizes
  readonly months: number
  readonly coupon: string
}

const months = [1, 2, 3, 4, 5, 6] as const

type Props = { service: Service; choice: ConversionChoice; onChange: (change: Partial<ConversionChoice>) => void }

const SizeChoice = ({ service, choice, onChange }: Props) => {
  const t = useTranslations('serverSettings.conversion')
  const locale = useLocale()
  const sizes = service.packages.filter((size) => size.orderable)
  return (
    <fieldset className="sizes">
      <legend className="label mb-2">{t('size')}</legend>
      {sizes.map((size) => (
        <label key={size.id} className="radio">
          <input
            type="radio"
            name="conversion-size"
            checked={choice.size === size.id}
            onChange={() => onChange({ size: size.id })}
          />
          <b>{size.name}</b>
          <span className="price t2">{t('monthly', { price: formatMoney(size.pricePerMonthFt, locale) })}</span>
        </label>
      ))}
      {service.resources && sizes.length > 0 ? (
        <label className="radio">
          <input
            type="radio"
            name="conversion-size"
            checked={choice.size === customSize}
            onChange={() => onChange({ size: customSize })}
          />
          <b>{t('custom')}</b>
        </label>
      ) : null}
    </fieldset>
  )
}

type CouponProps = { code: string; error: string | undefined; onApply: (code: string) => void }

/** One coupon: a field to type it with its refusal, or the one that counts with a way to leave it out. */
const Coupon = ({ code, error, onApply }: CouponProps) => {
  const t = useTranslations('services.coupon')
  const [typed, setTyped] = useState('')
  if (code !== '' && error === undefined) {
    return (
      <div className="coupon" role="status">
        <span className="grow min-w-0">{t('applied', { code })}</span>
        <Button size="s" onClick={() => onApply('')}>
          {t('remove')}
        </Button>
      </div>
    )
  }
  return (
    <Field
      label={t('label')}
      value={typed}
      maxLength={64}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      error={error}
      end={
        <Button size="s" onClick={() => onApply(typed.trim())}>
          {t('apply')}
        </Button>
      }
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}

/** The size, the months and a coupon of the paid server that the test server becomes. */
export const ConversionChoiceFields = ({ couponError, ...props }: Props & { couponError: string | undefined }) => {
  const { service, choice, onChange } = props
  const t = useTranslations('serverSettings.conversion')
  const ts = useTranslations('services')
  return (
    <>
      <SizeChoice {...props} />
      {choice.size === customSize && service.resources ? (
        <SizeSliders
          id="convert"
          ranges={service.resources}
          sizes={choice.resources}
          onChange={(resources) => onChange({ resources })}
        />
      ) : null}
      <Stops
        name="conversion-months"
        legend={t('months')}
        value={String(choice.months)}
        choices={months.map((count) => ({ value: String(count), label: ts('monthsShort', { count }) }))}
        onChange={(value) => onChange({ months: Number(value) })}
      />
      <Coupon code={choice.coupon} error={couponError} onApply={(coupon) => onChange({ coupon })} />
    </>
  )
}
